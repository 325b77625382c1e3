import { describe, expect, it } from '@jest/globals';
import { createLogReader } from '../../src/adapters/pocketbase/audit/log-reader.ts';
import type { MemberState } from '../../src/contract/organization.ts';
import type { CheckRequirement, RepositoryState } from '../../src/contract/organization-health.ts';
import type { Member } from '../../src/organizations/ports.ts';
import { createDeliveryRounds } from '../../src/outgoing-webhooks/deliver.ts';
import type { Message, OutgoingWebhook } from '../../src/outgoing-webhooks/ports.ts';
import { changeEffects } from '../../src/outgoing-webhooks/set-outgoing-webhook.ts';
import { hashLeaf } from '../../src/proofs/merkle.ts';
import { anInstallation, anOpenPull, aWeakening, HEAD } from '../support/fakes.ts';
import { all, one, org, person, records, two } from '../support/own-store.ts';
import { signingKeysOf } from '../support/stores.ts';

const HOUR_MS = 60 * 60_000;

it('an organization’s hook delivers in order, and by another process if one stops', async () => {
  const began = Date.now();
  let ahead = 1_000;
  const sent: string[] = [];
  const onSend: (() => unknown)[] = [];
  const processes = [one, two].map(({ client, outgoingWebhooks: hooks, waitingPulls, deployments }) => {
    const send = async ({ url, body }: Message) => {
      sent.push(`${url} ${JSON.parse(body).event}`);
      const isDown = (await onSend.shift()?.()) === 'down';
      return isDown ? ({ result: 'unreachable' } as const) : ({ result: 'answered', status: 204 } as const);
    };
    const run = async () => {
      const rounds = createDeliveryRounds({
        ...{
          outgoingWebhooks: hooks,
          waitingPulls,
          deployments,
          auditLog: createLogReader(client, signingKeysOf(client)),
        },
        ...{ sender: { send, isPublic: () => true }, memberships: { ownersToNotify: async () => [] } },
        ...{ clock: { now: () => new Date(began + ahead) }, origins: { publicUrl: '', githubUrl: '' } },
        ...{ onDeliveryFailed: () => undefined, onDeliveryError: () => undefined, hasRounds: () => true },
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
    return hooks.set(org, hook, changeEffects('hookSet', by, { ...about, org, owners: [] }));
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
  const hook = (await set('url')) as OutgoingWebhook;
  for (const next of [other.run, run]) await next();
  expect(sent.splice(0)).toEqual(
    ['hookSet', 'hookStop', 'hookSet', 'hookSet'].map((kind) => `url log.${kind}`),
  );
  const open = anOpenPull({ repoId: org.orgId * 10 });
  await one.openPulls.save(org.orgId, [open, { ...open, pr: 2 }], new Date(began + 1));
  onSend.push(() => Promise.reject(new Error('the process stopped')));
  await run();
  // An owner removes it while the first of two is on its way.
  onSend.push(() => hooks.remove(hook, changeEffects('hookRemove', by, { ...about, org, owners: [] })));
  await other.run();
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

  it('become exactly GitHub’s list, and keep their record if they have signed in', async () => {
    const { memberships } = one;
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
    expect((await one.organizations.byOrgId(org.orgId))?.membersAt).toEqual(at);
  });

  it('are stored once each if several processes write at the same time', async () => {
    const listed: Member[] = Array.from({ length: 30 }, (_, at) => ({
      githubId: at + 1,
      login: `m-${at}`,
      role: 'member',
    }));
    await Promise.allSettled([
      ...[one, two].map(({ memberships }) => memberships.replace(org, listed, new Date())),
      ...[one, two].map(({ memberships }) => memberships.save(org, { githubId: 1, login: 'm-0' }, 'member')),
    ]);
    await one.memberships.replace(org, listed, new Date());
    expect((await stored()).map(({ login }) => login).sort()).toEqual(
      listed.map(({ login }) => login).sort(),
    );
  });

  it('are saved at a sign-in although webhooks end and renew them at the same moment', async () => {
    const mona = await person('mona');
    const signIn = { ...mona, url: '', avatarUrl: '' };
    for (let round = 0; round < 20; round += 1) {
      await two.memberships.save(org, mona, 'member');
      await Promise.all([
        one.memberships.saveOfPerson(signIn, [{ org, role: 'admin' }]),
        two.memberships.save(org, mona, null),
        one.memberships.save(org, mona, 'member'),
      ]);
    }
    await one.memberships.saveOfPerson(signIn, [{ org, role: 'admin' }]);
    expect(await one.memberships.of(mona.userId)).toMatchObject([{ org: { id: org.id }, role: 'admin' }]);
  });

  it('are written and listed once each, even if there are hundreds', async () => {
    const { memberships } = one;
    // GitHub allows letters of both cases, digits and hyphens.
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
    const { memberships } = one;
    const [byKey, byApp, elsewhere] = [await person('a-key'), await person('b-app'), await person('c-none')];
    for (const member of [byKey, byApp, elsewhere]) await memberships.save(org, member, 'member');
    await memberships.save(org, { githubId: 9, login: 'd-never' }, 'member');
    const key = { key_id: `key-${org.orgId}`, user: byKey.userId, org: org.id, type: 'passkey' };
    await records.collection('webauthn').create(key);
    await records.collection('totps').create({ user_id: byApp.userId, org_id: org.id });
    const account = { id: 99_999, login: 'elsewhere', type: 'Organization', htmlUrl: '' } as const;
    const other = await one.organizations.save(anInstallation({ id: 99_999, account }));
    await records
      .collection('webauthn')
      .create({ ...key, key_id: `other-${org.orgId}`, user: elsewhere.userId, org: other.id });
    const counts = { total: 4, enrolled: 2, one: 2, pending: 0 };
    expect(await memberships.count(org.id)).toEqual({ ...counts, reachable: 0, unreachable: 2 });
    await records.collection('gh_users').update(elsewhere.userId, { address: 'c@inbox.example' });
    expect(await memberships.count(org.id)).toEqual({ ...counts, reachable: 1, unreachable: 1 });
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
    const { memberships } = one;
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

  it('are reminded once in seven days, if they have no authenticator and an address', async () => {
    const [mona, hubot, done] = [await person('mona'), await person('hubot'), await person('done')];
    for (const member of [mona, hubot, done]) await one.memberships.save(org, member, 'member');
    for (const { userId } of [mona, done]) await one.users.setAddress(userId, 'a@example.org', []);
    await records.collection('totps').create({ user_id: done.userId, org_id: org.id });
    const remindable = (memberId?: number) => one.memberReminders.remindable(org.id, { memberId, most: 9 });
    expect(await remindable()).toEqual({ members: [{ ...mona, reminded: null }], withoutAddress: 1 });
    expect(await remindable(hubot.githubId)).toEqual({ members: [], withoutAddress: 1 });
    const remind = async (at: Date) => {
      const notice = { kind: 'registrationReminder', userId: mona.userId, data: {} } as const;
      const notSince = new Date(at.getTime() - 7 * 24 * HOUR_MS);
      const reminder = { githubId: mona.githubId, at, notSince, notice };
      const added = [one, two, one].map(({ memberReminders }) => memberReminders.add(org.id, reminder));
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
    const days = await two.statistics.days(org.orgId);
    // A day may end in the meantime.
    const on = stored.map(({ created }) => created.slice(0, 10));
    expect(days.map(({ day, approvals }) => [day, approvals]).sort()).toEqual(
      [...new Set(on)].map((day) => [day, on.filter((one) => one === day).length]),
    );
    const seconds = days.flatMap((one) => one.seconds);
    expect(seconds.map((each) => Math.round(each / 60)).sort()).toEqual([1, 120]);
    expect(await two.statistics.days(org.orgId + 1e6)).toEqual([]);
  });
});

describe('a repository check', () => {
  it('is listed by name and counted, and due again after its time or a change of the repository', async () => {
    const checks = one.repositoryChecks;
    const names = ['a_b', 'axb', 'c', 'd'];
    const repositories = names.map((name, index) => ({
      id: org.orgId * 100 + index,
      ...{ name, defaultBranch: 'main' },
    }));
    await Promise.all([checks, two.repositoryChecks].map((each) => each.sync(org.id, repositories)));
    const now = () => new Date();
    const due = async (time = now()) =>
      (await two.repositoryChecks.due(time, { most: 99, except: [] }))
        .filter(({ orgRecordId }) => orgRecordId === org.id)
        .map(({ name }) => name);
    const later = new Date(Date.now() + HOUR_MS);
    const save = (index: number, required: CheckRequirement, at = now()) =>
      checks.save(
        { id: repositories[index]?.id ?? 0, orgRecordId: org.id, defaultBranch: 'main' },
        {
          ...{ required, bypass: null, environments: null, at, due: later },
          known: { defaultBranch: 'main', rulesets: [], branchProtection: [], deployKeys: [] },
        },
      );
    expect((await due()).sort()).toEqual(names);
    expect(await checks.due(now(), { most: 99, except: [org.id] })).toEqual([]);
    const asked = now();
    await checks.markDue({ repoId: repositories[3]?.id ?? 0 });
    await Promise.all([save(0, 'thisApp'), save(1, 'anySource'), save(2, 'no'), save(3, 'unknown', asked)]);
    // It was marked after GitHub was asked, so the answer may be from before the change.
    expect(await due()).toEqual(['d']);
    const counts = { total: 4, protected: 1, anySource: 1, notEnforced: 1, unknown: 1, unchecked: 0 };
    expect(await checks.counts(org.id)).toMatchObject(counts);
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

  it('counts the repositories whose environments have the rule, and lists them, with what the account granted', async () => {
    const checks = one.repositoryChecks;
    const gates = [
      ['unasked', null],
      ['closed', { isGated: true, canAdminsBypass: false }],
      ['open', { isGated: true, canAdminsBypass: true }],
      ['unsure', { isGated: true, canAdminsBypass: null }],
      ['none', { isGated: false, canAdminsBypass: true }],
      ['unknown', { isGated: null, canAdminsBypass: true }],
    ] as const;
    const repositories = gates.map(([name], at) => ({
      ...{ id: org.orgId * 100 + 70 + at, name, defaultBranch: 'main', orgRecordId: org.id },
    }));
    await checks.sync(org.id, repositories);
    const known = { defaultBranch: 'main', rulesets: [], branchProtection: [], deployKeys: [] };
    const at = new Date();
    for (const [place, repository] of repositories.entries()) {
      const gate = gates[place]?.[1];
      const environments = gate
        ? { total: 1, first: [{ name: 'release', ...gate }], isPrivate: false }
        : null;
      await checks.save(repository, { required: 'no', bypass: null, known, environments, at, due: at });
    }
    expect(await checks.gates(org.id)).toEqual({ gated: 3, open: 1, unknown: 2 });
    const ours = async () => (await two.repositoryChecks.gated()).filter(({ orgId }) => orgId === org.orgId);
    expect((await ours()).map(({ name }) => name).sort()).toEqual(['closed', 'open', 'unsure']);
    expect((await ours()).map(({ installation, owner }) => [installation, owner])[0]).toEqual([
      ...[org.installationId, org.name],
    ]);
    await checks.remove([repositories[1]?.id ?? 0]);
    expect([await checks.gates(org.id), await ours()]).toMatchObject([{ gated: 2 }, { length: 2 }]);
    const id = repositories[2]?.id ?? 0;
    expect((await checks.get(id))?.permissions).toBeNull();
    await one.knownAccounts.save(org.id, {
      ...anAccount,
      repositories: null,
      permissions: { actions: 'read' },
    });
    expect((await checks.get(id))?.permissions).toEqual({ actions: 'read' });
  });

  it('keeps what it knew of a repository that is gone, and compares that when it is back', async () => {
    const checks = one.repositoryChecks;
    const here = { id: org.orgId * 100 + 50, name: 'here', defaultBranch: 'main' };
    const gone = { ...here, id: here.id + 1, name: 'gone' };
    await checks.sync(org.id, [here, gone]);
    const known = { defaultBranch: 'main', rulesets: [], branchProtection: [], deployKeys: [] };
    const found = { required: 'thisApp' as const, bypass: null, environments: null, known };
    const later = new Date(Date.now() + HOUR_MS);
    const lose = [() => checks.sync(org.id, [here]), () => checks.remove([gone.id])];
    const back = [() => checks.put(org.id, gone), () => checks.sync(org.id, [here, gone])];
    for (const way of [0, 1]) {
      await checks.save({ ...gone, orgRecordId: org.id }, { ...found, at: new Date(), due: later });
      await lose[way]?.();
      const all = { state: 'all' as const, search: '', after: '', most: 9 };
      expect([await checks.get(gone.id), (await checks.counts(org.id)).total]).toEqual([null, 1]);
      expect(await checks.list(org.id, all)).toMatchObject({ matches: 1, repositories: [{ name: 'here' }] });
      expect(await checks.due(later, { most: 9, only: org.id })).toHaveLength(1);
      await back[way]?.();
      const due = await checks.due(new Date(), { most: 9, only: org.id });
      expect(due.find(({ id }) => id === gone.id)).toMatchObject({ name: 'gone' });
      expect(await checks.get(gone.id)).toMatchObject({ known });
      expect((await checks.counts(org.id)).unchecked).toBe(2);
    }
  });
});

const anAccount = {
  ...{ owners: [], permissions: {}, repositorySelection: 'selected' as const },
  ...{ isSuspended: false, isRemoved: false },
};

it('a reading that is too large isn’t stored, and a repository’s goes to no other organization’s log', async () => {
  const checks = one.repositoryChecks;
  const repo = { id: org.orgId * 100 + 60, name: 'moved', defaultBranch: 'main', orgRecordId: org.id };
  await checks.put(org.id, repo);
  const known = { defaultBranch: 'main', rulesets: [], branchProtection: [], deployKeys: [] };
  const at = new Date();
  const found = { required: 'thisApp' as const, bypass: null, environments: null, known, at, due: at };
  const keys = (count: number) => Array.from({ length: count }, (_, id) => ({ id, title: '<'.repeat(200) }));
  const withKeys = (count: number) => ({ ...found, known: { ...known, deployKeys: keys(count) } });
  expect(await checks.save(repo, withKeys(700))).toBe(true);
  expect(await checks.save(repo, withKeys(6_000))).toBe(false);
  expect((await checks.get(repo.id))?.known?.deployKeys).toHaveLength(700);
  const repositories = Array.from({ length: 30_000 }, (_, id) => ({ id, name: 'a'.repeat(50) }));
  const account = { ...anAccount, repositories };
  expect(await one.knownAccounts.save(org.id, account)).toBe(false);
  expect(
    await one.knownAccounts.save(org.id, { ...account, repositories: repositories.slice(0, 2_600) }),
  ).toBe(true);

  await checks.markDue({
    repoId: repo.id,
    noted: { by: { id: 1, login: 'mona' }, kinds: [], about: 'rule', at },
  });
  const account2 = { id: org.orgId + 8_000, login: 'buyer', type: 'Organization', htmlUrl: '' } as const;
  const buyer = await one.organizations.save(anInstallation({ id: org.orgId + 8_000, account: account2 }));
  await checks.put(buyer.id, repo);
  expect(await checks.get(repo.id)).toMatchObject({ orgRecordId: buyer.id, known: null, noted: null });
  // A reading that began before the transfer.
  await checks.save(repo, found);
  expect((await checks.get(repo.id))?.known).toBeNull();
});

describe('a weakening', () => {
  const mona = { id: 11, login: 'mona' };

  it('is stored once with its entry, acknowledged once, and no longer counts if its record was changed', async () => {
    const stores = [one.weakenings, two.weakenings];
    const [first, second] = stores as [typeof one.weakenings, typeof one.weakenings];
    const added = await Promise.all(stores.map((each) => each.add(org, ...aWeakening(org, { by: null }))));
    expect(added.toSorted()).toEqual([false, true]);
    expect(await first.add(org, ...aWeakening(org, { repoId: null, person: mona }, 'another'))).toBe(true);
    const [newest, oldest] = await second.open(org.id);
    expect(await second.promoted(org.id)).toEqual([11]);
    if (!newest || !oldest) throw new Error('no weakenings');
    const [log] = await createLogReader(one.client, signingKeysOf(one.client)).after(
      org.id,
      oldest.entry - 1,
      1,
    );
    const leafHash = Buffer.from(hashLeaf(Buffer.from(log?.leaf ?? ''))).toString('base64');
    expect(oldest).toMatchObject({ leafHash, repoId: 42, by: null, undone: null, acknowledged: null });
    expect(await second.newest(org.id)).toBe(newest.entry);
    await first.setBy(org, oldest.entry, mona);
    expect(await second.find(org.id, oldest.entry)).toMatchObject({ by: mona });

    const [, { effects }] = aWeakening(org);
    const strengthening = () =>
      first.addStrengthening(org, { undone: [oldest.entry], at: new Date() }, { name: 'undo', effects });
    expect([await strengthening(), await strengthening()]).toEqual([true, false]);
    expect((await second.lasting(org.id, 42, 'rule')).map(({ entry }) => entry)).toEqual([newest.entry]);

    const acknowledged = await Promise.all(
      stores.map((each) =>
        each.acknowledge(org, oldest.entry, { by: mona, at: new Date(), signed: null }, effects),
      ),
    );
    expect(acknowledged.toSorted()).toEqual([false, true]);
    expect((await second.open(org.id)).map(({ entry }) => entry)).toEqual([newest.entry]);
    await records.collection('weakenings').update(await idOf(newest.entry), { by_id: 99 });
    expect(await second.open(org.id)).toEqual([]);
  });

  it('is listed and mailed whatever many newer ones there are', async () => {
    const account = { id: org.orgId + 9_000, login: 'many', type: 'Organization', htmlUrl: '' } as const;
    const many = await one.organizations.save(anInstallation({ id: org.orgId + 9_000, account }));
    const rule = aWeakening(many)[0].change;
    await one.weakenings.add(many, ...aWeakening(many, {}, 'the real one'));
    for (let key = 0; key < 105; key += 1) {
      const change = { ...rule, kind: 'deployKeyAdded' as const, subject: `key ${key}` };
      await one.weakenings.add(many, ...aWeakening(many, { change, about: `key:${key}` }, `key ${key}`));
    }
    expect((await two.weakenings.open(many.id)).at(-1)?.change.kind).toBe('ruleNotActive');
  });

  it('is in one e-mail, by one process, and a later one in another', async () => {
    const stores = [one.weakenings, two.weakenings];
    const time = { since: new Date('2026-05-04T11:00:00Z'), until: new Date('2026-05-04T12:00:00Z') };
    const { userId } = await person('mail');
    const mailed: number[] = [];
    const mail = () =>
      Promise.all(
        stores.map((each) =>
          each.mail(
            org,
            (all) => {
              mailed.push(all.length);
              return [{ kind: 'protectionWeakened', userId, data: {} }];
            },
            new Date(),
          ),
        ),
      );
    const isUnmailed = async () => (await one.weakenings.unmailed(time)).some(({ id }) => id === org.id);
    await one.weakenings.mail(org, () => [], new Date());
    for (const name of ['mail 1', 'mail 2']) await one.weakenings.add(org, ...aWeakening(org, {}, name));
    expect(await isUnmailed()).toBe(true);
    expect((await mail()).toSorted()).toEqual([false, true]);
    expect([await all('notices', `user = "${userId}"`), await isUnmailed()]).toMatchObject([[{}], false]);
    expect(await one.weakenings.mail(org, () => [], new Date())).toBe(false);
    expect(mailed.every((count) => count === 2)).toBe(true);
    const late = { at: new Date('2026-05-04T12:01:00Z') };
    await one.weakenings.add(org, ...aWeakening(org, late, 'mail 3'));
    expect(await isUnmailed()).toBe(false);
    const removed = { kind: 'appRemoved', isWeaker: true, subject: '', before: '', after: '' } as const;
    await one.weakenings.add(org, ...aWeakening(org, { ...late, change: removed }, 'mail 4'));
    expect(await isUnmailed()).toBe(true);
  });

  it('is mailed in its turn, whatever another organization has', async () => {
    const at = new Date('2026-06-01T12:00:00Z');
    await one.weakenings.mail(org, () => [], at);
    await one.weakenings.add(org, ...aWeakening(org, { at }, 'mail in turn'));
    const account = { id: org.orgId + 7_000, login: 'noise', type: 'Organization', htmlUrl: '' } as const;
    const noise = await one.organizations.save(anInstallation({ id: org.orgId + 7_000, account }));
    for (let entry = 1; entry <= 110; entry += 1)
      await records.collection('weakenings').create({
        ...{ org: noise.id, entry, change: { kind: 'ruleNotActive' } },
        at: new Date(at.getTime() + entry).toISOString(),
      });
    const time = { since: at, until: new Date(at.getTime() + HOUR_MS) };
    const due = async () => (await two.weakenings.unmailed(time)).map(({ name }) => name);
    expect(await due()).toEqual([org.name, 'noise']);
    await records.collection('organizations').update(noise.id, { mailed_entry: 110 });
    expect(await due()).toEqual([org.name]);
    await records.collection('organizations').update(noise.id, { mailed_entry: 0 });
    await one.weakenings.mail(org, () => [], at);
    expect(await due()).toEqual(['noise']);
  });

  const idOf = async (entry: number) =>
    (await records.collection('weakenings').getFirstListItem(`org = "${org.id}" && entry = ${entry}`)).id;
});
