import { expect, it } from '@jest/globals';
import { createActivityLog } from '../../src/adapters/pocketbase/audit/activity-log.ts';
import { findInRecords, readPerson } from '../../src/adapters/pocketbase/people/erase.ts';
import { createPolicies } from '../../src/adapters/pocketbase/policies/stores.ts';
import { newRecordId } from '../../src/adapters/pocketbase/records/records-of.ts';
import { DEFAULT_POLICY } from '../../src/contract/default-policy.ts';
import { anImage } from '../support/fakes.ts';
import { all, one, org, person, records, two } from '../support/own-store.ts';
import { activityLogOf, recordSeals, signingKeysOf } from '../support/stores.ts';
import { verifiedEntries } from '../support/written-log.ts';

const anEntry = () => ({ activity: 'setOrgImage' as const, userId: '', orgRecordId: org.id, data: {} });
const send = () => activityLogOf(one.client).send({ activity: anEntry(), notices: [] });

it('a log gets 64 changes of two simultaneous processes without a gap, and no change without its entry', async () => {
  const { userId, githubId, login } = await person('mona');
  const key = { type: 'passkey', key_id: `key-${org.orgId}`, user: userId, org: org.id };
  const { id: authenticator } = await records.collection('webauthn').create(key);
  const approval = {
    ...{
      org: { id: org.orgId, recordId: org.id, login: org.name },
      user: { id: githubId, recordId: userId, login },
    },
    ...{ repo: { id: org.orgId, installation: 1, owner: org.name, name: 'hello' } },
    ...{ method: 'passkey' as const, authenticator, userVerified: true, aaguid: '', modelVerified: false },
    ...{ fromOutside: false, opened: new Date(), proof: null },
  };
  const changes = Array.from({ length: 64 }, (_, at) => {
    const { approvals, organizations } = at % 2 ? one : two;
    const head = at.toString(16).padStart(40, '0');
    return at % 4 < 2
      ? approvals.add(
          { ...approval, statement: { pr: 1, base: 'main', head } as never },
          { activity: { ...anEntry(), activity: 'webauthnCollect' }, notices: [] },
        )
      : organizations.setImage(org, anImage(), anEntry());
  });
  await Promise.all(changes);
  const entries = await verifiedEntries(one.client, org);
  const logged = entries.filter(({ activity }) => activity === 'webauthnCollect');
  const stored = await all<{ id: string }>('approvals', `org_id = ${org.orgId}`);
  expect([entries.length, stored.length]).toEqual([64, 32]);
  expect(logged.map(({ subject }) => subject).sort()).toEqual(
    stored.map(({ id }) => `approvals:${id}`).sort(),
  );
});

type Stored = { id: string; entry_number: number; nodes: string; checkpoint: string };

it.each<[string, (entries: Stored[]) => Promise<unknown>]>([
  ['the newest hashes', (entries) => change(entries, { nodes: entries[0]?.nodes })],
  ['the newest checkpoint', (entries) => change(entries, { checkpoint: entries[1]?.checkpoint })],
  [
    'an entry that nobody signed',
    () =>
      records
        .collection('gh_activities')
        .create({ org: org.id, entry_number: 4, activity: 'vouch', checkpoint: 'x' }),
  ],
  [
    "another organization's log",
    async (entries) => {
      const other = await records.collection('organizations').create({ org_id: org.orgId * 1000, name: 'x' });
      for (const { id } of entries) await records.collection('gh_activities').update(id, { org: other.id });
      org.id = other.id;
    },
  ],
])('a log whose end was changed in the database takes no further entry: %s', async (_what, tamper) => {
  const stored = () => all<Stored>('gh_activities', `org = "${org.id}"`);
  for (let entry = 0; entry < 3; entry += 1) await send();
  await tamper(await stored());
  const alerts: string[] = [];
  const publicUrl = 'http://localhost:3000';
  const onChanged = (id: string) => void alerts.push(id);
  const log = createActivityLog(two.client, signingKeysOf(two.client), { publicUrl, onChanged });
  const before = await stored();
  for (let tries = 0; tries < 2; tries += 1)
    await expect(log.send({ activity: anEntry(), notices: [] })).rejects.toMatchObject({
      code: 'logChanged',
    });
  expect([await stored(), alerts]).toEqual([before, [org.id]]);
});

const change = (entries: Stored[], fields: object) =>
  records.collection('gh_activities').update(String(entries.at(-1)?.id), fields);

it('a policy stays in force, and a vouch valid, whose author is erased', async () => {
  const { githubId, userId, login } = await person('mona');
  const [seals, erased] = [recordSeals(), await readPerson(one.client, githubId)];
  const policies = createPolicies(one.client, activityLogOf(one.client), seals);
  const effects = { activity: anEntry(), notices: [] };
  await policies.save(
    org,
    { policy: DEFAULT_POLICY, replaces: 0, by: { userId, login }, signed: null },
    effects,
  );
  expect(await policies.inForce(org.orgId)).toMatchObject({ by: login });
  const about = { id: newRecordId(), credential: 'other', org: org.id };
  const vouch = { ...about, voucher_id: githubId, voucher_login: login };
  await records.collection('vouches').create(seals.signed('vouches', vouch, { org: { org_id: org.orgId } }));
  const found = await findInRecords(one.client, seals, { person: erased, erase: true });
  expect(found).toEqual({ policies: 1, vouches: 1, gh_users: 1 });
  expect(await policies.inForce(org.orgId)).toEqual({ policy: DEFAULT_POLICY, number: 1, by: '' });
  expect(await one.vouches.among(['other'])).toEqual(new Set(['other']));
  expect(await findInRecords(one.client, seals, { person: erased, erase: false })).toEqual({});
});
