import type { Checkpoint, LogReader, SigningKeys } from '../../audit/ports.ts';
import { first, type StoreClient } from '../client.ts';
import { type LogEntryRecord, OF_ENTRY } from './log-entry-record.ts';
import { readVerified } from './verified-frontier.ts';

/** Reads the logs of organizations. What it returns was compared with what this server signed. */
export function createLogReader(
  client: StoreClient,
  keys: Pick<SigningKeys, 'published'>,
): Pick<LogReader, 'newest' | 'atSize'> {
  // The newest checkpoint of each organization that we verified: the same entry needn't be verified again.
  const known = new Map<string, { id: string; checkpoint: Checkpoint }>();

  return {
    newest: (org) =>
      client.run(async (records) => {
        const last = await first<LogEntryRecord>(
          records,
          'gh_activities',
          'org = {:org} && entry_number > 0',
          { org },
          { sort: '-entry_number' },
        );
        if (!last) return null;
        const seen = known.get(org);
        if (seen?.id === last.id && seen.checkpoint.note === last.checkpoint) return seen.checkpoint;
        const { checkpoint } = await readVerified(records, keys, { org, last });
        known.set(org, { id: last.id, checkpoint });
        return checkpoint;
      }),

    atSize: (org, size) =>
      client.run(async (records) => {
        if (size < 1) return null;
        const last = await first<LogEntryRecord>(records, 'gh_activities', OF_ENTRY, { org, number: size });
        return last && (await readVerified(records, keys, { org, last })).checkpoint;
      }),
  };
}
