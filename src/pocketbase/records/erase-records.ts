import type PocketBase from 'pocketbase';
import type { NamedPerson } from '../../audit/erase-person.ts';
import { ignoreMissing, type StoreClient } from '../client.ts';
import { type CoveredCollection, coverageOf, type Row } from './covered-fields.ts';
import type { RecordSeals } from './record-seals.ts';

/** What the records name of a person: how many of each kind. */
export type NamingRecords = Record<string, number>;

type Place = {
  collection: string;
  /** Which records name the person. */
  filter: string;
  /** What is cleared in each of them; without it, they're deleted. */
  clear?: Record<string, unknown>;
};

const SIGNED = { statement: null, assertion: null, public_key: '' };

/** Each place that names people. What belongs to their user record goes together with that. */
const PLACES: Place[] = [
  { collection: 'approvals', filter: 'user_id = {:githubId}' },
  { collection: 'vouches', filter: 'holder_id = {:githubId}' },
  // The authenticators that they vouched for go on counting: that somebody vouched stays.
  {
    collection: 'vouches',
    filter: 'voucher_id = {:githubId} && holder_id != {:githubId}',
    clear: { voucher_id: 0, voucher_login: '', ...SIGNED },
  },
  {
    collection: 'policies',
    filter: 'by != "" && by = {:userId}',
    clear: { by: '', by_login: '', ...SIGNED },
  },
  { collection: 'enrolment_addresses', filter: 'github_id = {:githubId}' },
  { collection: 'member_reminders', filter: 'github_id = {:githubId}' },
  { collection: 'pushers', filter: 'github_id = {:githubId}' },
  { collection: 'lost_authenticators', filter: 'user_id = {:githubId}' },
  {
    collection: 'lost_authenticators',
    filter: '(by != "" && by = {:userId}) || by_id = {:githubId}',
    clear: { by: '', by_id: 0, by_login: '' },
  },
  { collection: 'notices', filter: 'data.login:lower ?= {:login} || data.by:lower ?= {:login}' },
  { collection: 'webauthn', filter: 'user = {:userId}' },
  { collection: 'totps', filter: 'user_id = {:userId}' },
  { collection: 'org_members', filter: 'github_id = {:githubId}' },
  { collection: 'gh_users', filter: 'github_id = {:githubId}' },
];

/** How many records name the person. With `erase`, those are deleted or no longer do. */
export async function findInRecords(
  client: StoreClient,
  seals: RecordSeals,
  { person, erase }: { person: NamedPerson; erase: boolean },
): Promise<NamingRecords> {
  const counts: NamingRecords = {};
  for (const place of PLACES) {
    const rows = await client.run((records) => findRows(records, place, person));
    if (rows.length > 0) counts[place.collection] = (counts[place.collection] ?? 0) + rows.length;
    for (const row of erase ? rows : []) await client.run((records) => eraseRow(records, seals, place, row));
  }
  return counts;
}

async function findRows(
  records: PocketBase,
  { collection, filter }: Place,
  { githubId, userId, logins }: NamedPerson,
): Promise<Row[]> {
  const found = new Map<string, Row>();
  const { expand } = isCovered(collection) ? coverageOf(collection) : {};
  for (const login of filter.includes('{:login}') ? logins : [''])
    for (const row of await records.collection(collection).getFullList<Row>({
      filter: records.filter(filter, { githubId, userId, login }),
      ...(expand !== undefined && { expand }),
    }))
      found.set(row.id, row);
  return [...found.values()];
}

/** A record that OTP Guard didn't write gets no MAC that says it did. */
async function eraseRow(records: PocketBase, seals: RecordSeals, place: Place, row: Row): Promise<void> {
  const { collection, clear } = place;
  const of = records.collection(collection);
  if (!clear) return void (await of.delete(row.id).catch(ignoreMissing));
  const covered = isCovered(collection) && seals.isOurs(collection, row) ? collection : null;
  const mac = covered && seals.macOf(covered, { ...row, ...clear });
  await of.update(row.id, { ...clear, ...(mac !== null && { mac }) }).catch(ignoreMissing);
}

const SEALED: CoveredCollection[] = [
  'vouches',
  'policies',
  'approvals',
  'enrolment_addresses',
  'pushers',
  'webauthn',
  'totps',
];
const isCovered = (collection: string): collection is CoveredCollection =>
  (SEALED as string[]).includes(collection);
