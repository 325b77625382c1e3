import { loginsIn, type NamedPerson, namesPerson, withoutPeople } from '../../../audit/erase-person.ts';
import type { LogEntryRecord } from '../audit/log-entry-record.ts';
import { type StoreClient, sendBatches } from '../client.ts';
import { DEFINITIONS } from '../collections.ts';
import { expandOf, isCovered, type RecordSeals, type Row } from '../records/record-seals.ts';
import { recordsOf, type Wanted } from '../records/records-of.ts';
import type { NamedPeople } from '../schema/definition.ts';

/** The number of records in each collection that name a person. */
type NamingRecords = Record<string, number>;

type NamingFields = NamedPeople & { collection: string };

/** The fields of each collection that name people. The user record is the last, as others go together with it. */
const NAMING: NamingFields[] = DEFINITIONS.flatMap(([collection, { people }]) =>
  typeof people === 'string' ? [] : people.map((fields) => ({ collection, ...fields })),
).sort((one, other) => Number(one.collection === 'gh_users') - Number(other.collection === 'gh_users'));

/** Counts the records that name the person. With `erase`, it deletes them or takes the person out. */
export async function findInRecords(
  client: StoreClient,
  seals: RecordSeals,
  { person, erase }: { person: NamedPerson; erase: boolean },
): Promise<NamingRecords> {
  const counts: NamingRecords = {};
  for (const naming of NAMING) {
    const rows = await findRows(client, naming, person);
    if (rows.length > 0) counts[naming.collection] = (counts[naming.collection] ?? 0) + rows.length;
    for (const row of erase ? rows : []) await eraseRow(client, seals, naming, row);
  }
  return counts;
}

async function findRows(
  client: StoreClient,
  { collection, filter }: NamingFields,
  { githubId, userId, logins }: NamedPerson,
): Promise<Row[]> {
  const records = recordsOf<Row>(client, collection);
  const found = new Map<string, Row>();
  const expand = (isCovered(collection) && expandOf(collection)) || '';
  for (const login of filter.includes('{:login}') ? logins : [''])
    for (const row of await records.all([filter, { githubId, userId, login }], { expand }))
      found.set(row.id, row);
  return [...found.values()];
}

/** A record that OTP Guard didn't write gets no MAC that says it did. */
async function eraseRow(
  client: StoreClient,
  seals: RecordSeals,
  naming: NamingFields,
  row: Row,
): Promise<void> {
  const { collection, clear } = naming;
  const records = recordsOf<Record<string, unknown>>(client, collection);
  if (!clear) return records.delete(row.id);
  const covered = isCovered(collection) && seals.isOurs(collection, row) ? collection : null;
  const mac = covered && seals.macOf(covered, { ...row, ...clear });
  await records.updateIfThere(row.id, { ...clear, ...(mac !== null && { mac }) });
}

/** Where records have a person's GitHub id together with their login. */
const NAMED_IN = NAMING.flatMap(({ collection, named }) => (named ? [{ collection, ...named }] : []));

/** GitHub's ids of those who have, or had, this login in any record. */
export async function idsOfLogin(client: StoreClient, login: string): Promise<number[]> {
  const ids = new Set<number>();
  for (const naming of NAMED_IN)
    for (const row of await list(client, naming, [
      `${naming.login}:lower = {:login}`,
      { login: login.toLowerCase() },
    ]))
      ids.add(Number(row[naming.id]));
  ids.delete(0);
  return [...ids];
}

/** Everything that records name the person by. */
export async function readPerson(client: StoreClient, githubId: number): Promise<NamedPerson> {
  const logins = await loginsInLog(client, githubId);
  let userId = '';
  for (const naming of NAMED_IN)
    for (const row of await list(client, naming, { [naming.id]: githubId })) {
      logins.add(String(row[naming.login]).toLowerCase());
      if (naming.collection === 'gh_users') userId = String(row.id);
    }
  logins.delete('');
  return { githubId, userId, logins };
}

const list = (
  client: StoreClient,
  { collection, id, login }: (typeof NAMED_IN)[number],
  wanted: Wanted<Record<string, unknown>>,
) => recordsOf<Record<string, unknown>>(client, collection).all(wanted, { fields: `id,${id},${login}` });

/** Every entry of all logs, in pages. */
const entriesOf = (client: StoreClient) =>
  recordsOf<LogEntryRecord>(client, 'gh_activities').pages(500, {
    fields: 'id,data,user_id,person,salts',
  });

/** The logins that the logs have for the person with this GitHub id. */
async function loginsInLog(client: StoreClient, githubId: number): Promise<Set<string>> {
  const logins = new Set<string>();
  for await (const rows of entriesOf(client))
    for (const { person } of rows)
      for (const login of loginsIn(person?.facts ?? {}, githubId)) logins.add(login);
  return logins;
}

/** Counts the entries of all logs that name the person. With `erase`, it takes the person out of them. */
export async function findInLog(
  client: StoreClient,
  person: NamedPerson,
  { erase }: { erase: boolean },
): Promise<number> {
  let found = 0;
  for await (const rows of entriesOf(client)) {
    const naming = rows.filter((row) => namesPerson({ ...row, userId: row.user_id }, person));
    found += naming.length;
    if (erase)
      await sendBatches(client, naming, (batch, row) =>
        batch
          .collection('gh_activities')
          .update(row.id, withoutPeople({ ...row, userId: row.user_id }, person)),
      );
  }
  return found;
}
