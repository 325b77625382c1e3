import { base64 } from '@scure/base';
import type { LogReader, RecordedEntry, RecordedLog, SigningKeys } from '../../../audit/ports.ts';
import { foldRoots, siblingsOf, subtreesBetween } from '../../../proofs/merkle.ts';
import type { LoggedOrganizations } from '../../../receipts/ports.ts';
import type { StoreClient } from '../client.ts';
import { recordsOf, type Wanted } from '../records/records-of.ts';
import type { RecordOf } from '../schema/collections.ts';
import {
  createVerifiedEnds,
  type LogEntryRecord,
  nodeOf,
  readNodes,
  readVerified,
  toEntry,
  type VerifiedEnds,
} from './log-entry-record.ts';

const OF_LOG = 'org = {:org} && entry_number > 0';
/** The most entries that are read about one authenticator or approval, which has a few. */
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
  ends: VerifiedEnds = createVerifiedEnds(client, keys),
): LogReader {
  const entries = recordsOf<LogEntryRecord>(client, 'gh_activities');
  const organizations = recordsOf(client, 'organizations');
  // All fields: PocketBase takes longer to leave some out than to send them.
  const list = async (wanted: Wanted<LogEntryRecord>, most: number, sort = '') =>
    (await entries.page(most, wanted, { sort })).map(toEntry);

  const newest: LogReader['newest'] = async (org) => {
    const last = await entries.first([OF_LOG, { org }], { sort: '-entry_number', expand: 'org' });
    return last && (await ends.read({ org, orgId: orgIdOf(last), last })).checkpoint;
  };

  /** By installation, which never changes its account. A restore can change the account's record: it has no entry then. */
  const accounts = new Map<number, string>();

  return {
    newest,

    async newestOf(installation) {
      const known = accounts.get(installation);
      const found = known === undefined ? null : await newest(known);
      if (found) return found;
      const org = await organizations.first({ installation_id: installation });
      if (!org) return null;
      accounts.set(installation, org.id);
      return newest(org.id);
    },

    async atSize(org, size) {
      if (size < 1) return null;
      const last = await entries.first({ org, entry_number: size }, { expand: 'org' });
      return last && (await readVerified(client, keys, { org, orgId: orgIdOf(last), last })).checkpoint;
    },

    async ofSubject(org, subject) {
      // With the number in it, or sorted by it, SQLite would go through the whole log.
      const found = subject === '' ? [] : await list({ org, subject }, MOST_OF_SUBJECT);
      return found.filter(({ number }) => number > 0).sort((one, other) => one.number - other.number);
    },

    after: (org, number, most) =>
      list(['org = {:org} && entry_number > {:number}', { org, number }], most, 'entry_number'),

    async period(org, { from, to }) {
      const edge = (condition: string, at: Date | undefined, sort: string) =>
        entries.first([at ? `${OF_LOG} && created ${condition} {:at}` : OF_LOG, { org, at }], {
          sort: at ? `${sort}created` : `${sort}entry_number`,
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

type RecordedEntryRecord = RecordOf<'gh_activities'> & { expand?: { user_id?: { github_id: number } } };

const IDS = { fields: 'id,org_id' };
const toIds = ({ id, org_id: orgId }: { id: string; org_id: number }) => ({ id, orgId });

export function createRecordedLog(client: StoreClient): RecordedLog {
  const organizations = recordsOf(client, 'organizations');
  const entries = recordsOf<RecordedEntryRecord>(client, 'gh_activities');
  return {
    organizations: async () => (await organizations.all({}, { sort: 'id', ...IDS })).map(toIds),

    async after(org, number, most) {
      const options = { sort: 'entry_number', expand: 'user_id' };
      const wanted = 'org = {:org} && entry_number > {:number}';
      return (await entries.page(most, [wanted, { org, number }], options)).map(toRecorded);
    },
  };
}

function toRecorded({ entry_number: number, expand, ...record }: RecordedEntryRecord): RecordedEntry {
  const { id, leaf, event, person, salts, activity, data, subject, nodes, checkpoint } = record;
  const userGithubId = expand?.user_id?.github_id ?? null;
  return { number, id, leaf, event, person, salts, activity, data, subject, userGithubId, nodes, checkpoint };
}

export function createLoggedOrganizations(client: StoreClient): LoggedOrganizations {
  const organizations = recordsOf(client, 'organizations');
  return {
    list: async (most) => (await organizations.page(most, {}, { sort: 'created,id', ...IDS })).map(toIds),
  };
}
