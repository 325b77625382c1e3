import type PocketBase from 'pocketbase';
import type { NamedPerson } from '../../../audit/erase-person.ts';
import { ignoreMissing, type StoreClient } from '../client.ts';
import { expandOf, isCovered, type Row } from '../records/covered-fields.ts';
import type { RecordSeals } from '../records/record-seals.ts';
import { DEFINITIONS } from '../schema/collections.ts';
import type { NamedPeople } from '../schema/definition.ts';
import { loginsInLog } from './erase-from-log.ts';

/** What the records name of a person: how many of each kind. */
export type NamingRecords = Record<string, number>;

type Place = NamedPeople & { collection: string };

/** Each place that names people. The user record is the last, as others go together with it. */
const PLACES: Place[] = DEFINITIONS.flatMap(([collection, { people }]) =>
  typeof people === 'string' ? [] : people.map((place) => ({ collection, ...place })),
).sort((one, other) => Number(one.collection === 'gh_users') - Number(other.collection === 'gh_users'));

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
  const expand = isCovered(collection) ? expandOf(collection) : undefined;
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

/** Where records have a person's GitHub id together with their login. */
const NAMED_IN = PLACES.flatMap(({ collection, named }) => (named ? [{ collection, ...named }] : []));

/** GitHub's ids of those who have, or had, this login in any record. */
export async function idsOfLogin(client: StoreClient, login: string): Promise<number[]> {
  const ids = new Set<number>();
  for (const place of NAMED_IN)
    for (const row of await list(client, place, `${place.login}:lower = {:wanted}`, login.toLowerCase()))
      ids.add(Number(row[place.id]));
  ids.delete(0);
  return [...ids];
}

/** Everything that records name the person by. */
export async function readPerson(client: StoreClient, githubId: number): Promise<NamedPerson> {
  const logins = await loginsInLog(client, githubId);
  let userId = '';
  for (const place of NAMED_IN)
    for (const row of await list(client, place, `${place.id} = {:wanted}`, githubId)) {
      logins.add(String(row[place.login]).toLowerCase());
      if (place.collection === 'gh_users') userId = String(row.id);
    }
  logins.delete('');
  return { githubId, userId, logins };
}

const list = (
  client: StoreClient,
  { collection, id, login }: (typeof NAMED_IN)[number],
  filter: string,
  wanted: string | number,
) =>
  client.run((records) =>
    records.collection(collection).getFullList<Record<string, unknown>>({
      filter: records.filter(filter, { wanted }),
      fields: `id,${id},${login}`,
    }),
  );
