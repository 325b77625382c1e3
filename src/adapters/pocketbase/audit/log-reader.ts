import { base64 } from '@scure/base';
import type PocketBase from 'pocketbase';
import type { LogReader, RecordedEntry, RecordedLog, SigningKeys } from '../../../audit/ports.ts';
import type { ActivityData } from '../../../contract/activity.ts';
import { foldRoots, siblingsOf, subtreesBetween } from '../../../proofs/merkle.ts';
import type { LoggedOrganizations } from '../../../receipts/ports.ts';
import { first, type StoreClient } from '../client.ts';
import {
  createVerifiedEnds,
  type LogEntryRecord,
  nodeOf,
  OF_ENTRY,
  readNodes,
  readVerified,
  toEntry,
  type VerifiedEnds,
} from './log-entry-record.ts';

const OF_LOG = 'org = {:org} && entry_number > 0';
// With the number in it, or sorted by it, SQLite would go through the whole log.
const OF_SUBJECT = 'org = {:org} && subject = {:subject}';

/** Of one authenticator or approval: a few. */
const MOST_OF_SUBJECT = 200;

/** GitHub's id of the organization, of a record that was read with it. */
const orgIdOf = ({ expand }: LogEntryRecord) => expand?.org?.org_id ?? 0;

/**
 * Reads the logs of organizations. What it returns was compared with what this server signed.
 *
 * @param ends The ends of logs that are known, if others use them too.
 */
export function createLogReader(
  client: StoreClient,
  keys: Pick<SigningKeys, 'published'>,
  ends: VerifiedEnds = createVerifiedEnds(keys),
): LogReader {
  const list = async (filter: string, values: Record<string, unknown>, most: number, sort = '') => {
    const found = await client.run((records) =>
      records.collection('gh_activities').getList<LogEntryRecord>(1, most, {
        filter: records.filter(filter, values),
        sort,
        // All fields: PocketBase takes longer to leave some out than to send them.
        skipTotal: true,
      }),
    );
    return found.items.map(toEntry);
  };

  const newest: LogReader['newest'] = (org) =>
    client.run(async (records) => {
      const last = await first<LogEntryRecord>(
        records,
        'gh_activities',
        OF_LOG,
        { org },
        { sort: '-entry_number', expand: 'org' },
      );
      return last && (await ends.read(records, { org, orgId: orgIdOf(last), last })).checkpoint;
    });

  /** By installation, which never changes its account. A restore can change the account's record: it has no entry then. */
  const accounts = new Map<number, string>();

  return {
    newest,

    async newestOf(installation) {
      const known = accounts.get(installation);
      const found = known === undefined ? null : await newest(known);
      if (found) return found;
      const org = await client.run((records) =>
        first<{ id: string }>(records, 'organizations', 'installation_id = {:installation}', {
          installation,
        }),
      );
      if (!org) return null;
      accounts.set(installation, org.id);
      return newest(org.id);
    },

    atSize: (org, size) =>
      client.run(async (records) => {
        if (size < 1) return null;
        const last = await first<LogEntryRecord>(
          records,
          'gh_activities',
          OF_ENTRY,
          { org, number: size },
          { expand: 'org' },
        );
        return last && (await readVerified(records, keys, { org, orgId: orgIdOf(last), last })).checkpoint;
      }),

    async ofSubject(org, subject) {
      const found = subject === '' ? [] : await list(OF_SUBJECT, { org, subject }, MOST_OF_SUBJECT);
      return found.filter(({ number }) => number > 0).sort((one, other) => one.number - other.number);
    },

    after: (org, number, most) =>
      list('org = {:org} && entry_number > {:number}', { org, number }, most, 'entry_number'),

    async period(org, { from, to }) {
      const edge = (records: PocketBase, condition: string, at: Date | undefined, sort: string) =>
        first<LogEntryRecord>(
          records,
          'gh_activities',
          at ? `${OF_LOG} && created ${condition} {:at}` : OF_LOG,
          { org, at },
          { sort: at ? `${sort}created` : `${sort}entry_number` },
        );
      const [begin, end] = await client.run((records) =>
        Promise.all([edge(records, '>=', from, ''), edge(records, '<=', to, '-')]),
      );
      if (!begin || !end || begin.entry_number > end.entry_number) return null;
      return { first: begin.entry_number, last: end.entry_number };
    },

    async paths(org, numbers, size) {
      const siblings = numbers.map((number) =>
        siblingsOf(number, size).map(({ start, end }) => subtreesBetween(start, end)),
      );
      const ends = new Set(siblings.flat(2).map(({ end }) => end));
      const found = await client.run((records) => readNodes(records, org, [...ends]));
      return siblings.map((path) =>
        path.map((subtrees) => base64.encode(foldRoots(subtrees.map((subtree) => nodeOf(found, subtree))))),
      );
    },

    async frontier(org, size) {
      const subtrees = subtreesBetween(0, size);
      const numbers = subtrees.map(({ end }) => end);
      const found = await client.run((records) => readNodes(records, org, numbers));
      return subtrees.map((subtree) => base64.encode(nodeOf(found, subtree)));
    },
  };
}

type RecordedEntryRecord = LogEntryRecord & {
  activity: string;
  data: ActivityData | null;
  subject: string;
  expand?: { user_id?: { github_id: number } };
};

export function createRecordedLog(client: StoreClient): RecordedLog {
  return {
    async organizations() {
      const found = await client.run((records) =>
        records
          .collection('organizations')
          .getFullList<{ id: string; org_id: number }>({ sort: 'id', fields: 'id,org_id' }),
      );
      return found.map(({ id, org_id: orgId }) => ({ id, orgId }));
    },

    async after(org, number, most) {
      const found = await client.run((records) =>
        records.collection('gh_activities').getList<RecordedEntryRecord>(1, most, {
          filter: records.filter('org = {:org} && entry_number > {:number}', { org, number }),
          sort: 'entry_number',
          expand: 'user_id',
          skipTotal: true,
        }),
      );
      return found.items.map(toRecorded);
    },
  };
}

function toRecorded({ entry_number: number, expand, ...record }: RecordedEntryRecord): RecordedEntry {
  const { id, leaf, event, person, salts, activity, data, subject, nodes, checkpoint } = record;
  const userGithubId = expand?.user_id?.github_id ?? null;
  return { number, id, leaf, event, person, salts, activity, data, subject, userGithubId, nodes, checkpoint };
}

export const createLoggedOrganizations = (client: StoreClient): LoggedOrganizations => ({
  async list(most) {
    const found = await client.run((records) =>
      records.collection('organizations').getList<{ id: string; org_id: number }>(1, most, {
        sort: 'created,id',
        fields: 'id,org_id',
        skipTotal: true,
      }),
    );
    return found.items.map(({ id, org_id }) => ({ id, orgId: org_id }));
  },
});
