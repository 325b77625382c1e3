import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type PocketBase from 'pocketbase';
import { credentialSubject } from '../../src/audit/subjects.ts';
import { registrationEffects, removalEffects, renameEffects } from '../../src/authenticators/effects.ts';
import type { Added, Admission, Credential } from '../../src/authenticators/ports.ts';
import { createSealer } from '../../src/authenticators/seal.ts';
import type { MemberState } from '../../src/contract/organization.ts';
import type { CheckRequirement, RepositoryState } from '../../src/contract/organization-health.ts';
import { createHookRounds } from '../../src/hooks/deliver-hooks.ts';
import { hookEffects } from '../../src/hooks/hook-effects.ts';
import type { Hook, Message } from '../../src/hooks/ports.ts';
import type { NoticeKind } from '../../src/notices/ports.ts';
import type { Member, Organization } from '../../src/organizations/ports.ts';
import type { StoreClient } from '../../src/pocketbase/client.ts';
import { createApprovalStatistics } from '../../src/pocketbase/records/approval-statistics.ts';
import { createCodeFailures } from '../../src/pocketbase/records/code-failures.ts';
import { createCredentials } from '../../src/pocketbase/records/credentials.ts';
import { deleteExpired } from '../../src/pocketbase/records/delete-expired.ts';
import { createDeviceLinks } from '../../src/pocketbase/records/device-links.ts';
import { createEmailCodes } from '../../src/pocketbase/records/email-codes.ts';
import { createEnrolmentAddresses } from '../../src/pocketbase/records/enrolment-addresses.ts';
import { createHooks } from '../../src/pocketbase/records/hooks.ts';
import { createLogReader } from '../../src/pocketbase/records/log-reader.ts';
import { createMemberReminders } from '../../src/pocketbase/records/member-reminders.ts';
import { createMemberships } from '../../src/pocketbase/records/memberships.ts';
import { createNotices } from '../../src/pocketbase/records/notices.ts';
import { createOpenPulls } from '../../src/pocketbase/records/open-pulls.ts';
import { createOrganizations } from '../../src/pocketbase/records/organizations.ts';
import { createPullSearch } from '../../src/pocketbase/records/pull-search.ts';
import { createQuota } from '../../src/pocketbase/records/quota.ts';
import { createRepositoryChecks } from '../../src/pocketbase/records/repository-checks.ts';
import { createTotpApps } from '../../src/pocketbase/records/totp-apps.ts';
import { createUsers } from '../../src/pocketbase/records/users.ts';
import { createVouches } from '../../src/pocketbase/records/vouches.ts';
import { createWaitingPulls } from '../../src/pocketbase/records/waiting-pulls.ts';
import { activityLogOf, signingKeysOf } from '../support/activity-log.ts';
import { SoftwareAuthenticator } from '../support/authenticator.ts';
import { codeOf } from '../support/code-of.ts';
import { aCredential, anImage, anInstallation, anOpenPull, HEAD } from '../support/fakes.ts';
import { startMigratedStore } from '../support/migrated-store.ts';
import { SECRET_KEY } from '../support/product-over-store.ts';
import { recordSeals } from '../support/record-seals.ts';

const HOUR_MS = 60 * 60_000;
const sealer = createSealer(() => [SECRET_KEY]);

let store: Awaited<ReturnType<typeof startMigratedStore>>;
let records: PocketBase;
/** Two processes, each with its own client. */
let one: StoreClient;
let two: StoreClient;
let org: Organization;
let githubId = 100;

beforeAll(async () => {
  store = await startMigratedStore();
  ({ records, one, two } = store);
});
afterAll(() => store?.stop());

beforeEach(async () => {
  githubId += 1;
  const account = { id: githubId, login: `org-${githubId}`, type: 'Organization', htmlUrl: '' } as const;
  org = await createOrganizations(one, activityLogOf(one)).save(anInstallation({ id: githubId, account }));
});

async function person(login: string) {
  githubId += 1;
  const password = 'a-password-of-the-tests';
  const fields = {
    email: `${githubId}@unconfirmed.invalid`,
    verified: true,
    password,
    passwordConfirm: password,
  };
  const { id } = await records
    .collection('gh_users')
    .create<{ id: string }>({ ...fields, github_id: githubId, username: login });
  return { userId: id, githubId, login };
}

/** In the order in which they were created. */
const all = <T>(collection: string, filter = '') =>
  records.collection(collection).getFullList<T>({ filter, sort: '@rowid' });

it('an organization’s hook delivers in order, by one process at a time, and by another one if that stops', async () => {
  const began = Date.now();
  let ahead = 1_000;
  const sent: string[] = [];
  const onSend: (() => unknown)[] = [];
  const processes = [one, two].map((client) => {
    const hooks = createHooks(client, activityLogOf(client), { sealer, seals: recordSeals() });
    const send = async ({ url, body }: Message) => {
      sent.push(`${url} ${JSON.parse(body).event}`);
      const isDown = (await onSend.shift()?.()) === 'down';
      return isDown ? ({ result: 'unreachable' } as const) : ({ result: 'answered', status: 204 } as const);
    };
    const run = async () => {
      const rounds = createHookRounds({
        ...{
          hooks,
          log: createLogReader(client, signingKeysOf(client)),
          waitingPulls: createWaitingPulls(client),
        },
        ...{ sender: { send, isPublic: () => true }, memberships: { ownersToNotify: async () => [] } },
        ...{ clock: { now: () => new Date(began + ahead) }, origins: { publicUrl: '', githubUrl: '' } },
        ...{ onHookFailed: () => undefined, onHookError: () => undefined },
      });
      await rounds.round();
      await rounds.stop();
    };
    return { hooks, run };
  });
  const [{ hooks, run }, other] = processes as [(typeof processes)[0], (typeof processes)[0]];
  const about = { kind: 'webhook', host: 'a.example' } as const;
  const by = await person('octocat');
  const set = (url: string) => {
    const hook = { ...about, url, secret: 's', position: 0, at: new Date(began) };
    return hooks.set(org, hook, hookEffects('hookSet', by, { ...about, org, owners: [] }));
  };
  await set('down');
  for (const days of [0, 8]) {
    ahead = days * 24 * HOUR_MS + 1_000;
    onSend.push(() => 'down');
    await run();
  }
  expect(await all('gh_activities', `org = "${org.id}" && activity = "hookStop"`)).toHaveLength(1);
  expect([sent.splice(0).length, await hooks.of(org.id)]).toMatchObject([2, [{ stopped: true }]]);
  ahead = 1_000;
  await set('former');
  const hook = (await set('url')) as Hook;
  const runAll = () => Promise.all([run(), other.run(), run()]);
  await runAll();
  expect(sent.splice(0)).toEqual(
    ['hookSet', 'hookStop', 'hookSet', 'hookSet'].map((kind) => `url log.${kind}`),
  );
  const open = anOpenPull({ repoId: githubId * 10 });
  await createOpenPulls(one).save(org.orgId, [open, { ...open, pr: 2 }], new Date(began + 1));
  onSend.push(() => Promise.reject(new Error('the process stopped')));
  await run();
  await runAll();
  ahead += 5 * 60_000;
  // An owner removes it while the first of two is on its way.
  onSend.push(() => hooks.remove(hook, hookEffects('hookRemove', by, { ...about, org, owners: [] })));
  await runAll();
  expect(sent).toEqual(['url pull_request.waiting', 'url pull_request.waiting']);
  expect(await hooks.of(org.id)).toEqual([]);
});

describe('the members of an organization', () => {
  type Stored = { github_id: number; login: string; role: string; user: string };
  const stored = async () =>
    (await all<Stored>('org_members', `org = "${org.id}"`)).map(({ github_id, login, role, user }) => ({
      github_id,
      login,
      role,
      user,
    }));

  it('become exactly those that GitHub lists, and keep their record if they have signed in', async () => {
    const memberships = createMemberships(one);
    const mona = await person('mona');
    await memberships.save(org, { githubId: 1, login: 'gone' }, 'admin');
    await memberships.save(org, { githubId: mona.githubId, login: 'mona-before' }, 'member');
    const at = new Date('2026-05-04T12:00:00Z');
    await memberships.replace(
      org,
      [
        { githubId: mona.githubId, login: 'mona', role: 'admin' },
        { githubId: 2, login: 'new', role: 'member' },
      ],
      at,
    );
    expect(await stored()).toEqual([
      { github_id: mona.githubId, login: 'mona', role: 'admin', user: mona.userId },
      { github_id: 2, login: 'new', role: 'member', user: '' },
    ]);
    expect((await createOrganizations(one, activityLogOf(one)).byOrgId(org.orgId))?.membersAt).toEqual(at);
  });

  it('are linked to their own user record at their first sign-in', async () => {
    const memberships = createMemberships(one);
    const mona = await person('mona');
    await records.collection('org_members').create({
      org: org.id,
      github_id: mona.githubId,
      login: 'mona',
      role: 'member',
    });
    await memberships.save(org, { githubId: 3, login: 'other' }, 'member');
    await memberships.saveOfPerson(mona, [{ org, role: 'admin' }]);
    expect(await stored()).toEqual([
      { github_id: mona.githubId, login: 'mona', role: 'admin', user: mona.userId },
      { github_id: 3, login: 'other', role: 'member', user: '' },
    ]);
    expect((await memberships.of(mona.userId)).map(({ role, org: { name } }) => [name, role])).toEqual([
      [org.name, 'admin'],
    ]);
    await memberships.saveOfPerson(mona, []);
    expect((await stored()).map(({ login }) => login)).toEqual(['other']);
  });

  it('are stored once each if several processes write at the same time', async () => {
    const listed: Member[] = Array.from({ length: 30 }, (_, at) => ({
      githubId: at + 1,
      login: `m-${at}`,
      role: 'member',
    }));
    await Promise.allSettled([
      ...[one, two].map((client) => createMemberships(client).replace(org, listed, new Date())),
      ...[one, two].map((client) =>
        createMemberships(client).save(org, { githubId: 1, login: 'm-0' }, 'member'),
      ),
    ]);
    await createMemberships(one).replace(org, listed, new Date());
    expect((await stored()).map(({ login }) => login).sort()).toEqual(
      listed.map(({ login }) => login).sort(),
    );
  });

  it('are written and listed once each, even if there are hundreds', async () => {
    const memberships = createMemberships(one);
    // What GitHub allows: letters of both cases, digits and hyphens.
    const names = ['a', 'B', 'c-d', 'Z', 'x9'];
    const listed: Member[] = Array.from({ length: 230 }, (_, at) => ({
      githubId: at + 1,
      login: `${names[at % names.length]}${at}`,
      role: at === 0 ? 'admin' : 'member',
    }));
    await memberships.replace(org, listed, new Date());
    expect(await memberships.count(org.id)).toMatchObject({ total: 230, enrolled: 0 });
    const seen: string[] = [];
    for (let page = 0; page < 10; page += 1) {
      const after = seen.at(-1) ?? '';
      const found = await memberships.list(org.id, { state: 'missing', search: '', after, most: 51 });
      expect(found.total).toBe(230);
      seen.push(...found.members.slice(0, 50).map(({ login }) => login));
    }
    expect([seen.length, new Set(seen).size]).toEqual([230, 230]);
  });

  it('count as enrolled if they have a key or an app in this organization, not in another one', async () => {
    const memberships = createMemberships(one);
    const [byKey, byApp, elsewhere] = [await person('a-key'), await person('b-app'), await person('c-none')];
    for (const member of [byKey, byApp, elsewhere]) await memberships.save(org, member, 'member');
    await memberships.save(org, { githubId: 9, login: 'd-never' }, 'member');
    const key = { key_id: `key-${githubId}`, user: byKey.userId, org: org.id, type: 'passkey' };
    await records.collection('webauthn').create(key);
    await records.collection('totps').create({ user_id: byApp.userId, org_id: org.id });
    const account = { id: 99_999, login: 'elsewhere', type: 'Organization', htmlUrl: '' } as const;
    const other = await createOrganizations(one, activityLogOf(one)).save(
      anInstallation({ id: 99_999, account }),
    );
    await records
      .collection('webauthn')
      .create({ ...key, key_id: `other-${githubId}`, user: elsewhere.userId, org: other.id });
    expect(await memberships.count(org.id)).toEqual({ total: 4, enrolled: 2, one: 2, pending: 0 });
    const list = async (state: MemberState) =>
      (await memberships.list(org.id, { state, search: '', after: '', most: 10 })).members;
    expect((await list('all')).map(({ login, enrolled, kinds }) => [login, enrolled, kinds])).toEqual([
      ['a-key', true, { passkey: 1, securityKey: 0, totp: 0 }],
      ['b-app', true, { passkey: 0, securityKey: 0, totp: 1 }],
      ['c-none', false, { passkey: 0, securityKey: 0, totp: 0 }],
      ['d-never', false, { passkey: 0, securityKey: 0, totp: 0 }],
    ]);
    expect((await list('missing')).map(({ login }) => login)).toEqual(['c-none', 'd-never']);
  });

  it('are found by a part of their login, which is never a filter nor a wildcard', async () => {
    const memberships = createMemberships(one);
    const logins = ['mona', 'mona_corp', 'Monalisa', 'octo%', 'octocat'];
    for (const [at, login] of logins.entries())
      await memberships.save(org, { githubId: at + 1, login }, 'member');
    const find = async (search: string, after = '') => {
      const page = { state: 'all', search, after, most: 2 } as const;
      const { total, members } = await memberships.list(org.id, page);
      return [total, ...members.map(({ login }) => login)];
    };
    expect(await find('mona')).toEqual([3, 'Monalisa', 'mona']);
    expect(await find('MONA', 'mona')).toEqual([3, 'mona_corp']);
    expect(await find('_')).toEqual([1, 'mona_corp']);
    expect(await find('%')).toEqual([1, 'octo%']);
    const attacks = ['" || 1=1 || login ~ "', '{:after}', "' || true || '", '\\', '\\"', '$&', '$`', '\n'];
    for (const search of attacks) expect([search, await find(search, ' || 1=1 ')]).toEqual([search, [0]]);
  });

  it('are listed with their last approval, and whether they get e-mails', async () => {
    const memberships = createMemberships(one);
    const mona = await person('mona');
    await memberships.save(org, mona, 'member');
    const own = async () => {
      const { members } = await memberships.list(org.id, { state: 'all', search: '', after: '', most: 1 });
      return members[0];
    };
    expect(await own()).toMatchObject({ lastApproval: null, hasAddress: false, reminded: null });
    await createUsers(one).setAddress(mona.userId, 'mona@example.org', []);
    const approval = { org_id: org.orgId, user_id: mona.githubId, repo_id: 1, pr: 1 };
    await records.collection('approvals').create({ ...approval, head: 'a' });
    const last = await records.collection('approvals').create({ ...approval, head: 'b' });
    await records.collection('approvals').create({ ...approval, org_id: org.orgId + 1e6 });
    expect(await own()).toMatchObject({
      lastApproval: new Date(last.created).toISOString(),
      hasAddress: true,
    });
  });

  it('are reminded once in seven days, if they have no authenticator and an address', async () => {
    const [mona, hubot, done] = [await person('mona'), await person('hubot'), await person('done')];
    for (const member of [mona, hubot, done]) await createMemberships(one).save(org, member, 'member');
    for (const { userId } of [mona, done]) await createUsers(one).setAddress(userId, 'a@example.org', []);
    await records.collection('totps').create({ user_id: done.userId, org_id: org.id });
    const remindable = (memberId?: number) =>
      createMemberReminders(one).remindable(org.id, { memberId, most: 9 });
    expect(await remindable()).toEqual({ members: [{ ...mona, reminded: null }], withoutAddress: 1 });
    expect(await remindable(hubot.githubId)).toEqual({ members: [], withoutAddress: 1 });
    const remind = async (at: Date) => {
      const notice = { kind: 'registrationReminder', userId: mona.userId, data: {} } as const;
      const notSince = new Date(at.getTime() - 7 * 24 * HOUR_MS);
      const reminder = { githubId: mona.githubId, at, notSince, notice };
      const added = [one, two, one].map((client) => createMemberReminders(client).add(org.id, reminder));
      return (await Promise.all(added)).filter(Boolean).length;
    };
    const at = new Date('2026-05-04T12:00:00Z');
    const week = new Date('2026-05-11T12:00:00Z');
    expect([await remind(at), await remind(new Date(week.getTime() - 1)), await remind(week)]).toEqual([
      1, 0, 1,
    ]);
    expect((await remindable()).members).toMatchObject([{ login: 'mona', reminded: week }]);
    expect(await all('notices', `user = "${mona.userId}"`)).toHaveLength(2);
  });

  it('have their approvals counted by day, with the time from opening to the first one', async () => {
    const approve = (pr: number, age: number | null, head = HEAD) => {
      const opened = age === null ? '' : new Date(Date.now() - age * 1000).toISOString();
      const approval = { org_id: org.orgId, repo_id: 1, pr, head, user_id: pr, opened };
      return records.collection('approvals').create<{ created: string }>(approval);
    };
    const stored = [
      await approve(1, 7200),
      await approve(1, 7200, 'later'),
      await approve(2, null),
      await approve(3, 60),
    ];
    const days = await createApprovalStatistics(two).days(org.orgId);
    // A day may end meanwhile.
    const on = stored.map(({ created }) => created.slice(0, 10));
    expect(days.map(({ day, approvals }) => [day, approvals]).sort()).toEqual(
      [...new Set(on)].map((day) => [day, on.filter((one) => one === day).length]),
    );
    const seconds = days.flatMap((one) => one.seconds);
    expect(seconds.map((each) => Math.round(each / 60)).sort()).toEqual([1, 120]);
    expect(await createApprovalStatistics(two).days(org.orgId + 1e6)).toEqual([]);
  });
});

describe('a repository check', () => {
  it('is listed by name and counted, and due again after its time or a change of the repository', async () => {
    const checks = createRepositoryChecks(one);
    const names = ['a_b', 'axb', 'c', 'd'];
    const repositories = names.map((name, index) => ({
      id: githubId * 100 + index,
      ...{ name, defaultBranch: 'main' },
    }));
    await Promise.all([checks, createRepositoryChecks(two)].map((each) => each.sync(org.id, repositories)));
    const now = () => new Date();
    const due = async (time = now()) =>
      (await createRepositoryChecks(two).due(time, { most: 99, except: [] }))
        .filter(({ orgRecordId }) => orgRecordId === org.id)
        .map(({ name }) => name);
    const later = new Date(Date.now() + HOUR_MS);
    const save = (index: number, required: CheckRequirement, at = now()) =>
      checks.save({ id: repositories[index]?.id ?? 0, defaultBranch: 'main' }, { required, at, due: later });
    expect((await due()).sort()).toEqual(names);
    expect(await checks.due(now(), { most: 99, except: [org.id] })).toEqual([]);
    const asked = now();
    await checks.markDue({ repoId: repositories[3]?.id ?? 0 });
    await Promise.all([save(0, 'thisApp'), save(1, 'anySource'), save(2, 'no'), save(3, 'unknown', asked)]);
    // It was marked after GitHub was asked, so the answer may be from before the change.
    expect(await due()).toEqual(['d']);
    const counts = { total: 4, protected: 1, anySource: 1, notEnforced: 1, unknown: 1, unchecked: 0 };
    expect(await checks.counts(org.id)).toEqual(counts);
    const list = async (state: RepositoryState, search = '', after = '') => {
      const { matches, repositories } = await checks.list(org.id, { state, search, after, most: 2 });
      return [matches, ...repositories.map(({ name }) => name)];
    };
    expect(await list('all', '', 'axb')).toEqual([4, 'c', 'd']);
    expect(await list('protected', '_')).toEqual([1, 'a_b']);
    expect([await list('anySource'), await list('notEnforced'), await list('unknown')]).toEqual([
      [1, 'axb'],
      [1, 'c'],
      [1, 'd'],
    ]);
    expect(await list('all', '" || org != "')).toEqual([0]);
    await checks.sync(
      org.id,
      repositories.slice(1).map((one) => ({ ...one, ...(one.name === 'c' && { defaultBranch: 'trunk' }) })),
    );
    expect(await checks.counts(org.id)).toMatchObject({ total: 3, unchecked: 1 });
    await checks.markDue({ orgRecordId: org.id, checkedBefore: now() });
    expect((await due()).sort()).toEqual(['axb', 'c', 'd']);
  });
});

describe('adding and removing an authenticator', () => {
  type Activity = { activity: string; user_id: string; data: object };
  type Queued = { kind: string; user: string; data: object };

  async function registered() {
    const [mona, octocat] = [await person('mona'), await person('octocat')];
    const memberships = createMemberships(one);
    await memberships.save(org, mona, 'member');
    await memberships.save(org, octocat, 'admin');
    // An owner without an address gets no e-mail.
    await records.collection('gh_users').update(octocat.userId, { address: 'octocat@example.org' });
    const holder = {
      ...mona,
      org: { recordId: org.id, id: org.orgId, name: org.name },
    };
    const credential = aCredential(new SoftwareAuthenticator('http://localhost:3000'), {
      userId: mona.userId,
      orgRecordId: org.id,
      label: 'My key',
    });
    const { id: _id, ...fresh } = credential;
    const more = { aaguid: '', backupEligible: false, backedUp: false, attested: false, model: '' };
    const admission = { order: 'first', enrolled: 'open' } as const;
    const effects = registrationEffects(
      holder,
      { ...credential, key: credential },
      { admission, owners: [octocat.userId] },
    );
    const added = await createCredentials(one, activityLogOf(one), recordSeals()).add(
      { ...fresh, ...more },
      holder,
      admission,
      effects,
    );
    if (typeof added === 'string') throw new Error(added);
    const known = await createCredentials(one, activityLogOf(one), recordSeals()).byId(added.id);
    if (!known) throw new Error('not stored');
    return { mona, octocat, holder, known: { ...known, subject: credentialSubject(known.keyId) } };
  }

  const activities = () => all<Activity>('gh_activities', `org = "${org.id}"`);
  const queued = (userId: string) => all<Queued>('notices', `user = "${userId}"`);

  it('notifies the person, and the owners if it is a first one', async () => {
    const { mona, octocat } = await registered();
    expect((await queued(mona.userId)).map(({ kind }) => kind)).toEqual(['authenticatorAdded']);
    expect(await queued(octocat.userId)).toMatchObject([
      {
        kind: 'firstAuthenticator',
        data: { login: 'mona', org: org.name, type: 'passkey', label: 'My key' },
      },
    ]);
  });

  it('logs a rename and notifies the person in one step, and neither if the authenticator is gone', async () => {
    const { mona, holder, known } = await registered();
    const credentials = createCredentials(one, activityLogOf(one), recordSeals());
    const effects = renameEffects(holder, { ...known, label: 'Blue' }, known.label);
    const labels = { type: 'passkey', label: 'Blue', formerLabel: 'My key' };
    const renames = async () =>
      (await activities()).filter(({ activity }) => activity === 'authenticatorRename');
    expect(await credentials.rename(known.id, 'Blue', effects)).toBe(true);
    expect((await credentials.byId(known.id))?.label).toBe('Blue');
    expect((await renames()).at(-1)).toMatchObject({ user_id: mona.userId, data: labels });
    expect((await queued(mona.userId)).at(-1)).toMatchObject({ kind: 'authenticatorRenamed', data: labels });

    const before = [(await renames()).length, (await queued(mona.userId)).length];
    expect(await credentials.rename('aaaaaaaaaaaaaaa', 'Green', effects)).toBe(false);
    expect([(await renames()).length, (await queued(mona.userId)).length]).toEqual(before);
  });

  it('logs a removal by the person, and notifies only them', async () => {
    const { mona, octocat, holder, known } = await registered();
    expect(
      await createCredentials(one, activityLogOf(one), recordSeals()).remove(known, holder, {
        effects: removalEffects(holder, known, mona),
        lost: null,
      }),
    ).toBe(true);
    expect((await activities()).map(({ activity }) => activity)).toEqual([
      'webauthnRegister',
      'authenticatorDelete',
    ]);
    expect((await queued(mona.userId)).map(({ kind }) => kind)).toContain('authenticatorRemoved');
    expect(await queued(octocat.userId)).toHaveLength(1);
    const account = { id: mona.githubId, login: 'mona' };
    const logged = { subject: known.subject, person: { facts: { by: account, holder: account } } };
    expect(await activities()).toMatchObject([logged, logged]);
  });

  it('has checkpoints that are read only if OTP Guard signed the log as it is', async () => {
    await registered();
    const reader = createLogReader(two, signingKeysOf(two));
    const newest = await reader.newest(org.id);
    expect(newest).toMatchObject({ size: 1, note: expect.stringMatching(/^localhost:3000\/log\/\d+\n1\n/) });
    const { installation_id: installation } = await records.collection('organizations').getOne(org.id);
    expect([await reader.newestOf(installation), await reader.newestOf(installation)]).toEqual([
      newest,
      newest,
    ]);
    expect(await reader.newestOf(installation + 1)).toBeNull();
    expect([await reader.atSize(org.id, 1), await reader.atSize(org.id, 2)]).toEqual([newest, null]);
    const [entry] = await all<{ id: string }>('gh_activities', `org = "${org.id}"`);
    await records.collection('gh_activities').update(entry?.id ?? '', { nodes: `${'A'.repeat(43)}=` });
    const fresh = createLogReader(one, signingKeysOf(one));
    expect(await codeOf(fresh.newest(org.id))).toBe('logChanged');
  });

  it('logs a removal by an owner, and notifies both', async () => {
    const { mona, octocat, holder, known } = await registered();
    expect(
      await createCredentials(one, activityLogOf(one), recordSeals()).remove(known, holder, {
        effects: removalEffects(holder, known, octocat),
        lost: null,
      }),
    ).toBe(true);
    expect((await activities()).at(-1)).toMatchObject({
      activity: 'memberAuthenticatorDelete',
      user_id: octocat.userId,
      data: { login: 'octocat', user: 'mona', type: 'passkey', label: 'My key', org: org.name },
    });
    const data = { login: 'mona', by: 'octocat', org: org.name, type: 'passkey', label: 'My key' };
    expect((await queued(mona.userId)).at(-1)).toMatchObject({ kind: 'memberAuthenticatorRemoved', data });
    expect((await queued(octocat.userId)).at(-1)).toMatchObject({ kind: 'ownerRemovedAuthenticator', data });
  });

  it('adds one app if two processes add one at the same time', async () => {
    const { holder } = await registered();
    const app = { label: 'App', secret: new Uint8Array(16), step: 1 };
    const admission = { order: 'further', enrolled: '', confirmedBy: 'totp' } as const;
    const kind = { type: 'totp', label: 'App' } as const;
    const add = (client: StoreClient) =>
      createTotpApps(client, activityLogOf(client), {
        sealer: createSealer(() => [SECRET_KEY]),
        seals: recordSeals(),
      }).add(app, holder, admission, registrationEffects(holder, kind, { admission, owners: [] }));
    expect((await Promise.all([add(one), add(two)])).filter((added) => added === 'known')).toHaveLength(1);
    const [app0] = await all<{ id: string }>('totps', `org_id = "${org.id}"`);
    expect((await activities()).at(-1)).toMatchObject({
      subject: `totps:${app0?.id}`,
      person: { facts: { by: { login: 'mona' }, confirmedBy: 'totp' } },
    });
  });

  it('is used once with each value of its counter, so that a copy is noticed', async () => {
    const { known } = await registered();
    const use = (client: StoreClient) =>
      createCredentials(client, activityLogOf(client), recordSeals()).recordUse(known, {
        counter: 5,
        backedUp: false,
      });
    expect((await Promise.all([use(one), use(two)])).sort()).toEqual([false, true]);
  });

  it('refuses the use of an authenticator that is removed at the same time', async () => {
    const mona = await person('mona');
    const credentials = createCredentials(one, activityLogOf(one), recordSeals());
    const key = aCredential(new SoftwareAuthenticator('http://localhost:3000'), {
      id: 'aaaaaaaaaaaaaaa',
      userId: mona.userId,
      orgRecordId: org.id,
    });
    // A removed authenticator proves nothing: this is a refusal, not a 500.
    await expect(credentials.recordUse(key, { counter: 0, backedUp: false })).rejects.toMatchObject({
      code: 'authenticatorNotFound',
    });
  });

  it('removes it once and notifies once if two processes remove it', async () => {
    const { mona, octocat, holder, known } = await registered();
    const outcomes = await Promise.all([
      createCredentials(one, activityLogOf(one), recordSeals()).remove(known, holder, {
        effects: removalEffects(holder, known, octocat),
        lost: null,
      }),
      createCredentials(two, activityLogOf(two), recordSeals()).remove(known, holder, {
        effects: removalEffects(holder, known, mona),
        lost: null,
      }),
    ]);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const log = (await activities()).filter(({ activity }) => /delete/i.test(activity));
    expect(log).toHaveLength(1);
    const sent = (await queued(mona.userId)).filter(({ kind }) => /removed/i.test(kind));
    expect(sent).toHaveLength(1);
  });
});

describe('a slot of a quota', () => {
  const RULE = { most: 3, ms: HOUR_MS };

  it('is taken only as often as the limit allows, over several processes', async () => {
    const key = `places-${githubId}`;
    const now = new Date();
    const taken = await Promise.all(
      Array.from({ length: 12 }, (_, at) => createQuota(at % 2 ? one : two).take(key, RULE, now)),
    );
    expect(taken.filter((slot) => !(slot instanceof Date))).toHaveLength(3);
    for (const next of taken) if (next instanceof Date) expect(next.getTime()).toBe(now.getTime() + HOUR_MS);
  });

  it('is free again after its time, and at once if it is released', async () => {
    const quota = createQuota(one);
    const key = `again-${githubId}`;
    const now = new Date('2030-01-01T00:00:00Z');
    const later = (ms: number) => new Date(now.getTime() + ms);
    const first = await quota.take(key, RULE, now);
    await quota.take(key, RULE, later(1_000));
    await quota.take(key, RULE, later(2_000));
    expect(await quota.take(key, RULE, later(3_000))).toEqual(later(HOUR_MS));
    if (!(first instanceof Date)) await first.release();
    expect(await quota.take(key, RULE, later(4_000))).not.toBeInstanceOf(Date);
    expect(await quota.take(key, RULE, later(HOUR_MS))).toEqual(later(HOUR_MS + 1_000));
    expect(await quota.take(key, RULE, later(HOUR_MS + 1_000))).not.toBeInstanceOf(Date);
  });

  it('is kept by deleteExpired until it expires', async () => {
    const quota = createQuota(one);
    const key = `swept-${githubId}`;
    const now = new Date('2031-01-01T00:00:00Z');
    await quota.take(key, { most: 1, ms: HOUR_MS }, now);
    await deleteExpired(one, new Date(now.getTime() + HOUR_MS - 1));
    expect(await quota.take(key, { most: 1, ms: HOUR_MS }, now)).toBeInstanceOf(Date);
    await deleteExpired(one, new Date(now.getTime() + HOUR_MS + 1));
    expect(await quota.take(key, { most: 1, ms: HOUR_MS }, now)).not.toBeInstanceOf(Date);
  });
});

describe('wrong one-time codes', () => {
  it('are each counted once by several processes, also if one came while the others were cleared', async () => {
    const mona = await person('mona');
    const claim = (attempt: number, client = one) =>
      createCodeFailures(client).claim(mona.userId, org.id, attempt, new Date());
    const same = await Promise.all(Array.from({ length: 20 }, (_, at) => claim(1, at % 2 ? one : two)));
    expect(same.filter(Boolean)).toHaveLength(1);
    await createCodeFailures(two).clear(mona.userId, org.id);
    await claim(50);
    expect(await createCodeFailures(two).read(mona.userId, org.id)).toMatchObject({ count: 1, next: 51 });
  });
});

describe('two changes of one record at the same moment', () => {
  it('are both kept, so that nothing takes back a withdrawal or the end of a session', async () => {
    const change = ({ run }: StoreClient, fields: object) =>
      run((store) => store.collection('organizations').update(org.id, { ...fields }));
    const kept: unknown[] = [];
    for (let round = 1; round <= 30; round += 1) {
      const [html_url, members_at] = [`https://github.com/${round}`, new Date(round * 1_000)];
      await Promise.all([change(one, { html_url }), change(two, { members_at })]);
      const stored = await records.collection('organizations').getOne(org.id);
      kept.push([stored.html_url === html_url, Date.parse(stored.members_at) === round * 1_000]);
    }
    expect(kept).toEqual(kept.map(() => [true, true]));
  });
});

describe('a pending authenticator', () => {
  const vouched = { enrolled: 'vouched', voucher: { githubId: 1, login: 'octocat' }, proof: null } as const;
  const PENDING = { order: 'pending', waitsFor: 'vouch', nonce: 'n' } as const;

  async function waiting() {
    const mona = await person('mona');
    await createMemberships(one).save(org, mona, 'member');
    const holder = { ...mona, org: { recordId: org.id, id: org.orgId, name: org.name } };
    const of = (client: StoreClient) => ({
      credentials: createCredentials(client, activityLogOf(client), recordSeals()),
      vouches: createVouches(client, activityLogOf(client), recordSeals()),
    });
    const effects = registrationEffects(
      holder,
      { type: 'passkey', label: 'Key' },
      { admission: PENDING, owners: [] },
    );
    const add = (
      admission: Admission = PENDING,
      client = one,
      key = new SoftwareAuthenticator('http://localhost:3000'),
    ) => {
      const { id: _id, ...fresh } = aCredential(key, { userId: mona.userId, orgRecordId: org.id });
      return of(client).credentials.add(
        { ...fresh, backedUp: false, attested: false },
        holder,
        admission,
        effects,
      );
    };
    const known = async (added: Added | string) => {
      const found = typeof added === 'string' ? null : await of(one).credentials.find(added.id);
      if (!found) throw new Error(`not stored: ${added}`);
      return found;
    };
    const confirm = (credential: Credential, client = one) =>
      of(client).vouches.confirm(credential, { ...vouched, holder }, effects);
    const stored = () =>
      all<{ id: string; pending: string; enrolled: string }>('webauthn', `org = "${org.id}"`);
    return { mona, holder, of, add, known, confirm, stored, effects };
  }

  it('counts for nothing until it is confirmed, and is listed as waiting', async () => {
    const w = await waiting();
    const { credentials, vouches } = w.of(two);
    const pending = await w.known(await w.add());
    const { userId } = w.mona;
    expect(await credentials.list(userId, org.id)).toEqual([]);
    expect(await credentials.hasRecords(userId, org.id)).toBe(false);
    expect((await credentials.all(userId, org.id)).map(({ id }) => id)).toEqual([pending.id]);
    const page = { search: '', after: '', most: 10, state: 'pending' } as const;
    const standing = { enrolled: false, authenticators: 0, pending: true, address: '' };
    expect(await createMemberships(one).list(org.id, page)).toMatchObject({ total: 1, members: [standing] });
    const holder = { id: w.mona.githubId, login: 'mona' };
    const listed = [{ credential: pending, holder }];
    expect(await vouches.waiting(org.id, { existing: false, most: 5 })).toEqual(listed);
    expect(await w.confirm(pending)).toBe(true);
    expect(await credentials.list(userId, org.id)).toMatchObject([{ id: pending.id, enrolled: 'vouched' }]);
    expect([...(await vouches.among([pending.id, 'other']))]).toEqual([pending.id]);
    expect(await vouches.waiting(org.id, { existing: true, most: 5 })).toEqual([]);
    expect(await createMemberships(one).count(org.id)).toEqual({ total: 1, enrolled: 1, one: 1, pending: 0 });
    // A sign-in alone can't register another first one.
    expect(await w.add({ order: 'first', enrolled: 'open' })).toBe('notFirst');
  });

  it('is one at most, no matter how many are registered at the same time', async () => {
    const w = await waiting();
    const added = await Promise.all([one, two, one, two].map((client) => w.add(PENDING, client)));
    expect(added.filter((outcome) => typeof outcome !== 'string').length).toBeGreaterThan(0);
    expect(await w.stored()).toHaveLength(1);
    const key = new SoftwareAuthenticator('http://localhost:3000');
    await w.add(PENDING, one, key);
    expect(await w.add(PENDING, two, key)).not.toBe('known');
    expect(await w.stored()).toHaveLength(1);
  });

  it('is confirmed once, or replaced, or removed: never two of these', async () => {
    for (let round = 0; round < 4; round += 1) {
      const w = await waiting();
      const pending = await w.known(await w.add());
      const confirmed = await Promise.all([
        w.confirm(pending, one),
        w.confirm(pending, two),
        w.add(PENDING, two),
      ]);
      const times = confirmed.filter((outcome) => outcome === true).length;
      // What is registered after the confirmation waits on its own.
      const left = (await w.stored()).find(({ id }) => id === pending.id);
      expect([times, left?.pending]).toEqual(left ? [1, ''] : [0, undefined]);
      expect(await w.confirm(pending)).toBe(false);
      const removal = { effects: w.effects, lost: null };
      expect(await w.of(one).credentials.remove(pending, w.holder, removal)).toBe(false);
      expect((await w.stored()).filter(({ id }) => id === pending.id)).toHaveLength(left ? 1 : 0);
    }
  });

  it('that was changed in the database is neither listed nor confirmed', async () => {
    const w = await waiting();
    const pending = await w.known(await w.add());
    for (const change of [
      { pending: '' },
      { enrolled: 'vouched' },
      { nonce: 'other' },
      { public_key: 'AAAA' },
    ]) {
      const before = await records.collection('webauthn').getOne(pending.id);
      await records.collection('webauthn').update(pending.id, change);
      expect(await w.of(one).credentials.all(w.mona.userId, org.id)).toEqual([]);
      expect(await w.of(one).credentials.find(pending.id)).toBeNull();
      expect(await w.confirm(pending)).toBe(false);
      await records.collection('webauthn').update(pending.id, before);
    }
    // A forged vouch for one that came in without.
    await records.collection('vouches').create({ credential: pending.id, org: org.id, enrolled: 'vouched' });
    expect([...(await w.of(one).vouches.among([pending.id]))]).toEqual([]);
  });

  it('from before is listed until somebody vouched for it, and its record only says so', async () => {
    const w = await waiting();
    const existing = await w.known(await w.add({ order: 'first', enrolled: 'open' }));
    const { vouches, credentials } = w.of(two);
    const ids = async () =>
      (await vouches.waiting(org.id, { existing: true, most: 5 })).map(({ credential }) => credential.id);
    expect(await ids()).toEqual([existing.id]);
    await createMemberships(one).save(org, w.mona, null);
    expect(await ids()).toEqual([]);
    await createMemberships(one).save(org, w.mona, 'member');
    // A use saves the credential's counter and MAC; a vouch at the same time mustn't spoil them.
    const used = Promise.all([
      w.confirm(existing),
      credentials.recordUse(existing, { counter: 7, backedUp: false }),
    ]);
    expect(await used).toEqual([true, true]);
    expect(await credentials.list(w.mona.userId, org.id)).toMatchObject([{ counter: 7, enrolled: 'open' }]);
    expect([[...(await vouches.among([existing.id]))], await ids()]).toEqual([[existing.id], []]);
    expect(await w.confirm(existing)).toBe(false);
  });

  it('is replaced by a first one, whose address only one person can have', async () => {
    const w = await waiting();
    await w.add();
    const address = { address: 'Mona+otp@example.org', folded: 'mona@example.org' };
    const first = { order: 'first', enrolled: 'email', address } as const;
    expect(typeof (await w.add(first))).toBe('object');
    expect(await w.stored()).toMatchObject([{ pending: '', enrolled: 'email' }]);
    const addresses = createEnrolmentAddresses(two);
    expect(await addresses.holderOf(org.id, address.folded)).toBe(w.mona.githubId);
    const page = { search: '', after: '', most: 10, state: 'one' } as const;
    const { members } = await createMemberships(one).list(org.id, page);
    expect(members).toMatchObject([{ address: address.address }]);
    const other = await waiting();
    expect(await other.add(first)).toBe('known');
    expect(await other.stored()).toHaveLength(1);
  });
});

describe('a device link', () => {
  it('is used once, by one of two processes, and is nothing if it was changed', async () => {
    const mona = await person('mona');
    const [links, others] = [one, two].map((client) => createDeviceLinks(client, recordSeals()));
    const expires = new Date(Date.now() + 600_000);
    await links?.add({ hash: `hash-${githubId}`, userId: mona.userId, orgId: org.orgId, expires });
    const found = await others?.find(`hash-${githubId}`);
    if (!found) throw new Error('not stored');
    expect(found).toEqual({ id: found.id, userId: mona.userId, orgId: org.orgId, expires });
    expect((await Promise.all([links?.consume(found), others?.consume(found)])).sort()).toEqual([
      false,
      true,
    ]);
    const later = new Date(Date.now() + HOUR_MS).toISOString();
    await records.collection('device_links').update(found.id, { expires: later });
    expect(await links?.find(`hash-${githubId}`)).toBeNull();
  });
});

describe('an e-mail code', () => {
  async function sent() {
    const mona = await person('mona');
    const sig = `sig-${githubId}`;
    const expires = new Date(Date.now() + 600_000);
    const code = {
      sig,
      userId: mona.userId,
      email: 'Mona@example.org',
      orgId: 0,
      ts: Date.now(),
      nonce: 'n',
      expires,
    };
    await createEmailCodes(one).add(code);
    const found = await createEmailCodes(two).find(sig);
    if (!found) throw new Error('not stored');
    expect(found).toEqual({ id: expect.any(String), ...code });
    return found;
  }

  it('allows a fixed number of tries, over several processes', async () => {
    const code = await sent();
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, at) => createEmailCodes(at % 2 ? one : two).takeTry(code, 5)),
    );
    expect(tries.filter(Boolean)).toHaveLength(5);
  });

  it('is used up once, over several processes', async () => {
    const code = await sent();
    const spent = await Promise.all(
      Array.from({ length: 10 }, (_, at) => createEmailCodes(at % 2 ? one : two).consume(code)),
    );
    expect(spent.filter(Boolean)).toHaveLength(1);
  });
});

describe('a notice that is still to be sent', () => {
  it('is claimed by one process for each try', async () => {
    const mona = await person('mona');
    const now = new Date();
    const [notices, others] = [createNotices(one), createNotices(two)];
    await notices.add({ kind: 'codesLocked', userId: mona.userId, data: { org: 'o' } }, now);
    const own = async () => (await notices.due(now, 1000)).find(({ userId }) => userId === mona.userId);
    const notice = await own();
    if (!notice) throw new Error('not due');
    expect(notice).toMatchObject({ kind: 'codesLocked', data: { org: 'o' }, to: '', tries: 0 });
    const claims = await Promise.all([notices.claim(notice), others.claim(notice), notices.claim(notice)]);
    expect(claims.filter(Boolean)).toHaveLength(1);
    await notices.retry(notice, now);
    const again = await own();
    expect(again?.tries).toBe(1);
    expect(await others.claim(again ?? notice)).toBe(true);
    await notices.done(notice);
    await notices.done(notice);
    await notices.retry(notice, now);
    expect(await own()).toBeUndefined();
  });

  it('is due at its time, not before', async () => {
    const mona = await person('mona');
    const due = new Date('2026-05-04T12:00:00.500Z');
    await createNotices(one).add({ kind: 'codesLocked', userId: mona.userId, data: {} }, due);
    const isDue = async (ms: number) =>
      (await createNotices(one).due(new Date(due.getTime() + ms), 1000)).some(
        ({ userId }) => userId === mona.userId,
      );
    expect([await isDue(-1), await isDue(0), await isDue(1)]).toEqual([false, true, true]);
  });
});

describe('a confirmed address', () => {
  it('is stored together with the notices', async () => {
    const users = createUsers(one);
    const { userId } = await person('mona');
    const queued = async () =>
      (await all<{ kind: string; to: string }>('notices', `user = "${userId}"`)).map(({ kind, to }) => [
        kind,
        to,
      ]);
    const notice = (kind: NoticeKind, to: string) => ({ kind, userId, data: { login: 'mona' }, to });
    await users.setAddress(userId, 'one@example.org', [notice('addressConfirmed', 'one@example.org')]);
    await users.setAddress(userId, 'two@example.org', [
      notice('addressConfirmed', 'two@example.org'),
      notice('addressReplaced', 'one@example.org'),
    ]);
    expect(await queued()).toEqual([
      ['addressConfirmed', 'one@example.org'],
      ['addressConfirmed', 'two@example.org'],
      ['addressReplaced', 'one@example.org'],
    ]);
    await users.setImage(userId, anImage());
    expect(await users.contact(userId)).toEqual({
      login: 'mona',
      address: 'two@example.org',
      image: anImage(),
    });
    expect(await users.contact('aaaaaaaaaaaaaaa')).toBeNull();
  });
});

describe('an open pull request without an approval', () => {
  const pull = anOpenPull();
  const at = (s: number) => new Date(Date.UTC(2026, 4, 4, 12, 0, s));

  it('waits since it got its head, and is no longer listed once it is approved, closed or out of reach', async () => {
    const pulls = createOpenPulls(one);
    const list = () => createPullSearch(one).list(org.id, { search: '', after: '', most: 10 });
    const own = (pr: number) => ({ ...pull, repoId: githubId * 10, pr });
    await pulls.save(org.orgId, [own(1), own(2), own(3)], at(1));
    await pulls.save(org.orgId, [{ ...own(4), repoId: githubId * 10 + 1 }], at(2));
    await pulls.save(org.orgId, [{ ...own(1), title: 'Another title' }], at(3));
    await pulls.save(org.orgId, [{ ...own(2), head: 'cd'.repeat(20) }], at(4));
    const waiting = async () => (await list()).pulls.map(({ pr, since }) => [pr, since.getUTCSeconds()]);
    expect((await waiting()).toSorted()).toEqual([
      [1, 1],
      [2, 4],
      [3, 1],
      [4, 2],
    ]);
    expect((await waiting()).at(-1)).toEqual([2, 4]);
    await pulls.save(org.orgId, [{ ...own(1), approved: true }], at(5));
    expect(await pulls.missingFrom(githubId * 10, [1, 2])).toEqual([3]);
    await pulls.remove(githubId * 10, 3);
    expect(await waiting()).toEqual([
      [4, 2],
      [2, 4],
    ]);
    await pulls.removeOtherRepositories(org.orgId, [githubId * 10]);
    expect(await list()).toMatchObject({ total: 1, pulls: [{ pr: 2 }] });
  });

  it('is listed by page, and found by its title, repository or author', async () => {
    const repoId = githubId * 10 + 5;
    const titles = ['100% _done_', 'Fix "quotes"', 'Fix two', 'Fix three', 'Other'];
    for (const [index, title] of titles.entries())
      await createOpenPulls(one).save(
        org.orgId,
        [{ ...pull, repoId, repoName: title === 'Other' ? 'fixtures' : 'hello', pr: index + 1, title }],
        at(index < 3 ? 1 : index),
      );
    const list = (search: string, after = '', most = 2) =>
      createPullSearch(one).list(org.id, { search, after, most });
    const seen: number[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page = await list('fix', next);
      expect(page.total).toBe(4);
      seen.push(...page.pulls.map(({ pr }) => pr));
      next = page.next;
    }
    expect([...seen.slice(0, 2).sort(), ...seen.slice(2)]).toEqual([2, 3, 4, 5]);
    for (const [search, total] of [
      ['%', 1],
      ['_', 1],
      ['"', 1],
      ['" || title != "', 0],
      ['MON', 5],
    ] as const)
      expect([search, (await list(search)).total]).toEqual([search, total]);
    expect(await list('', 'no place/" || 1=1 || id="')).toMatchObject({ total: 5, pulls: [], next: null });
  });

  it('is not written again if nothing has changed, with any title', async () => {
    const pulls = createOpenPulls(one);
    for (const [pr, title] of [
      [1, 'plain'],
      [2, 'é'.repeat(600)],
      [3, '<script> “ключ” 鍵'],
    ] as const) {
      const own = { ...pull, repoId: githubId * 10 + 2, pr, title };
      await pulls.save(org.orgId, [own], at(1));
      const [before] = await all<{ id: string }>('open_pulls', `repo_id = ${own.repoId} && pr = ${pr}`);
      await records.collection('open_pulls').update(before?.id ?? '', { since: at(9).toISOString() });
      await pulls.save(org.orgId, [own], at(2));
      const [after] = await all<{ since: string }>('open_pulls', `repo_id = ${own.repoId} && pr = ${pr}`);
      expect([pr, new Date(after?.since ?? 0)]).toEqual([pr, at(9)]);
    }
  });

  it('has a long title shortened between two characters', async () => {
    const own = { ...pull, repoId: githubId * 10 + 4, title: `a${'😀'.repeat(400)}` };
    await createOpenPulls(one).save(org.orgId, [own], at(1));
    const [stored] = await all<{ title: string }>('open_pulls', `repo_id = ${own.repoId}`);
    expect(stored?.title).toBe(`a${'😀'.repeat(249)}`);
  });

  it('is found with all others of its head, approved or not, even if they are more than fifty', async () => {
    const repoId = githubId * 10 + 3;
    const many = Array.from({ length: 60 }, (_, at) => ({ ...pull, repoId, pr: at + 1, approved: at < 10 }));
    await createOpenPulls(one).save(org.orgId, many, at(1));
    expect(await createOpenPulls(one).numbersWithHead(repoId, HEAD)).toHaveLength(60);
    expect((await createPullSearch(one).list(org.id, { search: '', after: '', most: 1 })).total).toBe(50);
  });
});
