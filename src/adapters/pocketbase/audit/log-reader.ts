import { base64 } from '@scure/base';
import type { LogReader, RecordedLog, SigningKeys } from '../../../audit/ports.ts';
import { foldRoots, siblingsOf, subtreesBetween } from '../../../proofs/merkle.ts';
import type { StoreClient } from '../client.ts';
import { recordsOf } from '../records/records-of.ts';
import { type LogEntryRecord, nodeOf, readNodes, readVerified, toEntry } from './log-entry-record.ts';

const OF_LOG = 'org = {:org} && entry_number > 0';
/** The most entries that are read about one authenticator or approval, which has a few. */
const MOST_OF_SUBJECT = 200;

/** GitHub's id of the organization, of a record that was read with it. */
const orgIdOf = ({ expand }: LogEntryRecord) => expand?.org?.org_id ?? 0;

/** Reads the logs of organizations. The checkpoints that it returns were compared with what this server signed. */
export function createLogReader(
  client: StoreClient,
  keys: Pick<SigningKeys, 'published'>,
): Omit<LogReader, 'after'> & RecordedLog {
  const entries = recordsOf<LogEntryRecord>(client, 'gh_activities');
  const organizations = recordsOf(client, 'organizations');

  const newest: LogReader['newest'] = async (org) => {
    const last = await entries.first([OF_LOG, { org }], { sort: '-entry_number', expand: 'org' });
    return last && (await readVerified(client, keys, { org, orgId: orgIdOf(last), last })).checkpoint;
  };

  return {
    newest,

    async newestOf(installation) {
      const org = await organizations.first({ installation_id: installation });
      return org && newest(org.id);
    },

    async atSize(org, size) {
      if (size < 1) return null;
      const last = await entries.first({ org, entry_number: size }, { expand: 'org' });
      return last && (await readVerified(client, keys, { org, orgId: orgIdOf(last), last })).checkpoint;
    },

    async ofSubject(org, subject) {
      if (subject === '') return [];
      // SQLite would go through the whole log for a query with the number in it, or sorted by it.
      const found = (await entries.page(MOST_OF_SUBJECT, { org, subject })).map(toEntry);
      return found.filter(({ number }) => number > 0).sort((one, other) => one.number - other.number);
    },

    async after(org, number, most) {
      const wanted = 'org = {:org} && entry_number > {:number}';
      // All fields: PocketBase takes longer to leave some out than to send them.
      const options = { sort: 'entry_number', expand: 'user_id' };
      return (await entries.page(most, [wanted, { org, number }], options)).map(toEntry);
    },

    async period(org, { from, to }) {
      const edge = (condition: string, date: Date | undefined, sort: string) =>
        entries.first([date ? `${OF_LOG} && created ${condition} {:at}` : OF_LOG, { org, at: date }], {
          sort: date ? `${sort}created` : `${sort}entry_number`,
        });
      const [begin, end] = await Promise.all([edge('>=', from, ''), edge('<=', to, '-')]);
      if (!begin || !end || begin.entry_number > end.entry_number) return null;
      return { first: begin.entry_number, last: end.entry_number };
    },

    async paths(org, numbers, size) {
      const siblings = numbers.map((number) =>
        siblingsOf(number, size).map(({ start, end }) => subtreesBetween(start, end)),
      );
      const ends = new Set(siblings.flat(2).map(({ end }) => end));
      const found = await readNodes(client, org, [...ends]);
      return siblings.map((path) =>
        path.map((subtrees) => base64.encode(foldRoots(subtrees.map((subtree) => nodeOf(found, subtree))))),
      );
    },

    async frontier(org, size) {
      const subtrees = subtreesBetween(0, size);
      const numbers = subtrees.map(({ end }) => end);
      const found = await readNodes(client, org, numbers);
      return subtrees.map((subtree) => base64.encode(nodeOf(found, subtree)));
    },
  };
}
