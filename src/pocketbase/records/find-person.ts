import type { NamedPerson } from '../../audit/erase-person.ts';
import type { StoreClient } from '../client.ts';
import { loginsInLog } from './erase-from-log.ts';
import { PLACES } from './erase-records.ts';

type Place = { collection: string; id: string; login: string };

/** Where records have a person's GitHub id together with their login. */
const NAMED_IN: Place[] = PLACES.flatMap(({ collection, named }) =>
  named ? [{ collection, ...named }] : [],
);

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
  { collection, id, login }: Place,
  filter: string,
  wanted: string | number,
) =>
  client.run((records) =>
    records.collection(collection).getFullList<Record<string, unknown>>({
      filter: records.filter(filter, { wanted }),
      fields: `id,${id},${login}`,
    }),
  );
