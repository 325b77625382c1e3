import { loginsIn, type NamedPerson, namesPerson, withoutPeople } from '../../../audit/erase-person.ts';
import type { ActivityData } from '../../../contract/activity.ts';
import type { LogEntryRecord } from '../audit/log-entry-record.ts';
import type { StoreClient } from '../client.ts';

type NamingRecord = LogEntryRecord & { data: ActivityData | null; user_id: string };

const PAGE = 500;
/** PocketBase takes this many changes at once: see `migrate`. */
const MOST_CHANGES = 50;

/** The logins that the logs have for the person with this GitHub id. */
export async function loginsInLog(client: StoreClient, githubId: number): Promise<Set<string>> {
  const logins = new Set<string>();
  await eachPage(client, async (rows) => {
    for (const { person } of rows)
      for (const login of loginsIn(person?.facts ?? {}, githubId)) logins.add(login);
  });
  return logins;
}

/** How many entries of all logs name the person. With `erase`, those no longer do. */
export async function findInLog(
  client: StoreClient,
  person: NamedPerson,
  { erase }: { erase: boolean },
): Promise<number> {
  let found = 0;
  await eachPage(client, async (rows) => {
    const naming = rows.filter((row) => namesPerson({ ...row, userId: row.user_id }, person));
    found += naming.length;
    for (let at = 0; erase && at < naming.length; at += MOST_CHANGES)
      await eraseEach(client, naming.slice(at, at + MOST_CHANGES), person);
  });
  return found;
}

async function eraseEach(client: StoreClient, rows: NamingRecord[], person: NamedPerson): Promise<void> {
  await client.run(async (records) => {
    const batch = records.createBatch();
    for (const row of rows)
      batch
        .collection('gh_activities')
        .update(row.id, withoutPeople({ ...row, userId: row.user_id }, person));
    await batch.send();
  });
}

/** Every entry, in the order of the record ids: those added meanwhile may be left out. */
async function eachPage(client: StoreClient, see: (rows: NamingRecord[]) => Promise<void>): Promise<void> {
  for (let last = ''; ; ) {
    const { items } = await client.run((records) =>
      records.collection('gh_activities').getList<NamingRecord>(1, PAGE, {
        filter: records.filter('id > {:last}', { last }),
        sort: 'id',
        fields: 'id,data,user_id,person,salts',
        skipTotal: true,
      }),
    );
    await see(items);
    last = items.at(-1)?.id ?? '';
    if (items.length < PAGE) return;
  }
}
