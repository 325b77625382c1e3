import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createCheckRunRecords,
  createReconcileReports,
} from '../../src/adapters/pocketbase/approvals/stores.ts';
import { MOST_LISTED } from '../../src/adapters/pocketbase/audit/collections.ts';
import { deleteExpired } from '../../src/adapters/pocketbase/records/delete-expired.ts';
import { createLeases, type Lease } from '../../src/adapters/pocketbase/records/leases.ts';
import { MOST_JSON_BYTES } from '../../src/adapters/pocketbase/schema/fields.ts';
import type { KnownGroup, RunState } from '../../src/approvals/ports.ts';
import type { ReconcileReport } from '../../src/approvals/reconcile/ports.ts';
import type { Effects } from '../../src/audit/ports.ts';
import { sha256Base64url } from '../../src/shared/crypto.ts';
import { aGroup, anOpenPull, FakeClock, HEAD } from '../support/fakes.ts';
import { all, one, org, type Process, person, records, two } from '../support/own-store.ts';
import { recordSeals } from '../support/stores.ts';

const DAY_MS = 24 * 60 * 60_000;

/** An owner of the organization who gets e-mails. */
async function owner(login: string): Promise<string> {
  const { userId, githubId } = await person(login);
  await one.users.setAddress(userId, `${login}@example.org`, []);
  await one.memberships.save(org, { githubId, login }, 'admin');
  return userId;
}

const HEAD_OF_PULL = { pr: 7, base: 'main', head: HEAD };

/** Mona's approval of a head in the organization's only repository. */
const anApprovalBy = (authenticator: string) => ({
  repo: { id: org.orgId * 10, installation: 1, owner: org.name, name: 'hello' },
  org: { id: org.orgId, recordId: org.id, login: org.name },
  user: { id: 1, recordId: '', login: 'mona' },
  method: 'passkey' as const,
  authenticator,
  userVerified: true,
  aaguid: '',
  modelVerified: false,
  fromOutside: false,
  opened: new Date('2026-05-04T12:00:00Z'),
  statement: HEAD_OF_PULL as never,
  proof: null,
});

describe('the store of approvals', () => {
  it('takes an approval once from two processes, and none made with an authenticator that was removed since', async () => {
    const approval = anApprovalBy('removed00000000');
    const entry = { activity: 'webauthnCollect' as const, userId: '', orgRecordId: org.id, data: {} };
    const effects = { activity: entry, notices: [] };
    const { approvals } = one;
    await expect(approvals.add(approval, effects)).rejects.toMatchObject({ code: 'authenticatorNotFound' });
    expect(await approvals.ofHead(approval.repo.id, HEAD)).toEqual({ valid: [], denials: [], withdrawn: [] });
    const key = { type: 'passkey', key_id: `key-${org.orgId}`, user: await owner('mona'), org: org.id };
    const { id: authenticator } = await records.collection('webauthn').create(key);
    const counted = { ...approval, authenticator };
    await Promise.all([one, two].map(({ approvals }) => approvals.add(counted, effects)));
    expect((await approvals.ofHead(approval.repo.id, HEAD)).valid).toHaveLength(1);
    // The policy was tightened, and they approve again in a way that counts.
    await approvals.add({ ...approval, authenticator, userVerified: false }, effects);
    const other = await records.collection('webauthn').create({ ...key, key_id: `other-${org.orgId}` });
    for (const { approvals } of [one, two, one])
      await approvals.add({ ...approval, authenticator: other.id }, effects);
    expect((await approvals.ofHead(approval.repo.id, HEAD)).valid).toHaveLength(3);
  });

  it('takes a denial beside an approval, and tells them apart by the signed statement alone', async () => {
    const key = { type: 'passkey', key_id: `deny-${org.orgId}`, user: await owner('mona'), org: org.id };
    const { id: authenticator } = await records.collection('webauthn').create(key);
    const approval = anApprovalBy(authenticator);
    const entry = { userId: '', orgRecordId: org.id, data: {} };
    const reason = 'drops a table';
    const statement = { ...HEAD_OF_PULL, purpose: 'deny', reasonSha256: sha256Base64url(reason) } as never;
    const denial = { ...approval, statement, reason };
    const denied = { ...entry, data: { sha: HEAD }, activity: 'webauthnDeny' as const };
    const effects = { activity: denied, notices: [] };
    const approved = { ...entry, activity: 'webauthnCollect' as const };
    await one.approvals.add({ ...approval, userVerified: false }, { activity: approved, notices: [] });
    const added = await Promise.all([one, two].map(({ approvals }) => approvals.add(denial, effects)));
    expect(added.filter((checkpoint) => checkpoint)).toHaveLength(1);
    const rows = await all<{ id: string; denies: boolean }>('approvals', `org_id = ${org.orgId}`);
    // Nothing but the covered statement decides, so these change nothing.
    for (const { id, denies } of rows) await records.collection('approvals').update(id, { denies: !denies });
    const { valid, denials } = await one.approvals.ofHead(approval.repo.id, HEAD);
    expect([valid.length, denials.map((one) => one.reason)]).toEqual([1, [reason]]);
    for (const { id, denies } of rows) await records.collection('approvals').update(id, { denies });
    expect(await one.approvals.deniers(org.orgId)).toEqual([{ githubId: 1, login: 'mona' }]);
    const [found] = await one.approvals.denialsOf({ orgId: org.orgId, githubId: 1 });
    const id = found?.id ?? '';
    expect([found?.reason, await one.approvals.findDenial(org.orgId + 1, id)]).toEqual([reason, null]);
    expect(await one.approvals.findDenial(org.orgId, valid[0]?.id ?? '')).toBeNull();
    const pull = await one.approvals.ofPull(approval.repo.id, 7);
    expect([pull.approvals.length, pull.denials.length]).toEqual([1, 1]);
    expect(await one.ownApprovals.newest(org.orgId, 1, 10)).toHaveLength(1);
    const proved = await one.provedApprovals.ofHead(org.orgId, HEAD);
    expect(proved.map((given) => given.reason).sort()).toEqual([reason, undefined]);
    expect((await one.statistics.days(org.orgId)).map(({ approvals }) => approvals)).toEqual([1]);
    const [, logged] = await all<{ id: string; salts: object }>('gh_activities', `org = "${org.id}"`);
    const erased = { person: null, salts: { ...logged?.salts, person: null } };
    await records.collection('gh_activities').update(logged?.id ?? '', erased);
    expect(await one.provedApprovals.erasedOf(org.id, HEAD)).toMatchObject([{ id, denies: true }]);
    // A changed text is no reason, and the denial stays in force.
    await records.collection('approvals').update(id, { reason: 'looks good' });
    const located = await one.approvals.findDenial(org.orgId, id);
    expect(located?.reason).toBe('');
    expect(located && (await one.approvals.withdraw(located, effects))).toBe(true);
    expect([await one.approvals.deniers(org.orgId), await one.approvals.findDenial(org.orgId, id)]).toEqual([
      [],
      null,
    ]);
  });

  it('withdraws and logs one once by two processes, to be reported before others, and never a forged one', async () => {
    const row = { id: `w${org.id.slice(1)}`, repo_id: 8, pr: 7, head: HEAD, user_id: 1, org_id: org.orgId };
    const older = { ...row, id: `v${org.id.slice(1)}`, head: 'cd'.repeat(20) };
    for (const fields of [older, row])
      await records.collection('approvals').create(recordSeals().signed('approvals', fields));
    const [approval] = await one.approvals.ofPerson({ orgId: org.orgId, githubId: 1, head: HEAD });
    if (!approval) throw new Error('not stored');
    const activity = { activity: 'approvalWithdraw' as const, userId: '', orgRecordId: org.id, data: {} };
    const withdraw = ({ approvals }: Process) => approvals.withdraw(approval, { activity, notices: [] });
    await records.collection('approvals').update(row.id, { pr: 8 });
    expect(await withdraw(one)).toBe(false);
    await records.collection('approvals').update(row.id, { pr: 7 });
    expect((await Promise.all([one, two].map(withdraw))).sort()).toEqual([false, true]);
    expect(await one.approvals.ofHead(8, HEAD)).toMatchObject({
      valid: [],
      withdrawn: [{ id: row.id, reported: false }],
    });
    // GitHub may still show a success on the withdrawn one, so it comes first.
    const unreported = (await one.approvals.unreportedHeads()).filter(({ orgId }) => orgId === org.orgId);
    expect(unreported.map(({ head }) => head)).toEqual([HEAD, older.head]);
    expect(await all('gh_activities', `org = "${org.id}"`)).toHaveLength(1);
  });
});

describe('a commit’s list of entries', () => {
  it('is never full: it has the newest ones, and the others are found without it', async () => {
    const user = await owner('mona');
    const key = { type: 'passkey', key_id: `full-${org.orgId}`, user, org: org.id };
    const { id: authenticator } = await records.collection('webauthn').create(key);
    const approval = anApprovalBy(authenticator);
    const wanted = { orgId: org.orgId, githubId: 1, head: HEAD };
    const data = { sha: HEAD, pr: 7, repo: 'hello' };
    const entry = { userId: '', orgRecordId: org.id, data, facts: { repoId: approval.repo.id } };
    const approveAndWithdraw = async ({ approvals }: Process) => {
      const approved = { ...entry, activity: 'webauthnCollect' as const };
      await approvals.add(approval, { activity: approved, notices: [] });
      const [added] = await approvals.ofPerson(wanted);
      const activity = { ...entry, activity: 'approvalWithdraw' as const };
      expect(added && (await approvals.withdraw(added, { activity, notices: [] }))).toBe(true);
    };
    for (let time = 0; time <= MOST_LISTED / 2; time += 1) await approveAndWithdraw(time % 2 ? one : two);
    const [commit] = await all<{ activity_ids: string[] }>('gh_commits', `org = "${org.id}"`);
    const entries = await all<{ id: string; salts: object }>('gh_activities', `org = "${org.id}"`);
    expect(entries.length).toBeGreaterThan(MOST_LISTED);
    expect(commit?.activity_ids).toEqual(entries.slice(-MOST_LISTED).map(({ id }) => id));
    const [oldest] = entries;
    const erased = { person: null, salts: { ...oldest?.salts, person: null } };
    await records.collection('gh_activities').update(oldest?.id ?? '', erased);
    const found = { id: expect.any(String), denies: false, repoId: approval.repo.id, repo: 'hello', pr: 7 };
    expect(await one.provedApprovals.erasedOf(org.id, HEAD)).toEqual([found]);
  });
});

describe('what several processes find', () => {
  it('is logged once, with one notice for each owner', async () => {
    const octocat = await owner('octocat');
    const effects: Effects = {
      activity: { activity: 'forgedCheck', userId: '', orgRecordId: org.id, data: { sha: HEAD, pr: 7 } },
      notices: [{ kind: 'forgedCheck', userId: octocat, data: { org: org.name } }],
    };
    const find = ({ findings }: Process, name: string) => findings.add(`${org.id}:${name}`, effects);
    const found = await Promise.all([one, two, one, two].map((by) => find(by, 'the same')));
    expect(found.filter(Boolean)).toHaveLength(1);
    expect([await find(one, 'the same'), await find(two, 'another')]).toEqual([false, true]);
    expect(await all('gh_activities', `org = "${org.id}"`)).toHaveLength(2);
    expect(await all('notices', `user = "${octocat}"`)).toHaveLength(2);
  });
});

describe('a merge queue’s groups', () => {
  const repo = () => ({ installation: 5, owner: org.name, name: 'hello' });

  it('are stored once, and a failed verdict stays in any order of writes', async () => {
    const group = aGroup({ repoId: org.orgId });
    const heads = [HEAD, 'other', HEAD];
    const known = await Promise.all(
      [one, two, one].map(({ mergeGroups }, index) => mergeGroups.add(repo(), group, heads[index] ?? '')),
    );
    expect(new Set(known.map(({ pullHead }) => pullHead)).size).toBe(1);
    expect(known[0]).toMatchObject({ ...group, repo: repo(), verdict: 'waiting' });
    for (const verdict of ['passed', 'failed', 'passed'] as const) {
      await two.mergeGroups.settle(known[0] as KnownGroup, verdict);
    }
    expect(await one.mergeGroups.find(org.orgId, group.head)).toEqual({ ...known[0], verdict: 'failed' });
    expect(await one.mergeGroups.find(org.orgId + 1, group.head)).toBeNull();
    expect(await one.mergeGroups.find(org.orgId, HEAD)).toBeNull();
  });

  it('are unfinished until they are finished, and known after it', async () => {
    const waiting = ['a1', 'b2', 'c3'].map((name) =>
      aGroup({ repoId: org.orgId, head: name.repeat(20), baseSha: name.startsWith('a') ? HEAD : 'd4' }),
    );
    for (const group of waiting) await one.mergeGroups.add(repo(), group, HEAD);
    const headsOf = async (on?: { repoId: number; baseSha: string }) =>
      (await two.mergeGroups.unfinished(on))
        .filter(({ repoId }) => repoId === org.orgId)
        .map(({ head }) => head);
    expect(await headsOf()).toEqual(waiting.map(({ head }) => head));
    expect(await headsOf({ repoId: org.orgId, baseSha: HEAD })).toEqual(['a1'.repeat(20)]);
    await two.mergeGroups.finish(org.orgId, 'a1'.repeat(20));
    await two.mergeGroups.finish(org.orgId, 'unknown');
    expect(await headsOf({ repoId: org.orgId, baseSha: HEAD })).toEqual([]);
    const since = async (ms: number) =>
      (await two.mergeGroups.since(new Date(Date.now() + ms))).filter(({ repoId }) => repoId === org.orgId);
    const newestFirst = waiting.map(({ head }) => head).reverse();
    expect([(await since(-60_000)).map(({ head }) => head), await since(60_000)]).toEqual([newestFirst, []]);
  });
});

describe('webhooks', () => {
  it('are stored once by two processes, as processed from when they are, with the time of an installation’s last one', async () => {
    const [here, there] = [one.deliveries, two.deliveries];
    expect([await here.isProcessed('guid-1'), await here.lastReceivedAt(org.orgId)]).toEqual([false, null]);
    const arrived = ['guid-1', 'guid-2', 'guid-1'].flatMap((guid) =>
      [here, there].map((each) => each.receive(guid, 'pull_request', org.orgId)),
    );
    expect(new Set(await Promise.all(arrived))).toEqual(new Set([false]));
    expect(await here.isProcessed('guid-1')).toBe(false);
    await Promise.all([here, there].map((each) => each.markProcessed('guid-1', 'pull_request', org.orgId)));
    const again = ['guid-1', 'guid-2'].map((guid) => there.receive(guid, 'pull_request', org.orgId));
    expect(await Promise.all(again)).toEqual([true, false]);
    expect([await there.isProcessed('guid-1'), await there.isProcessed('guid-2')]).toEqual([true, false]);
    const last = await here.lastReceivedAt(org.orgId);
    expect(Math.abs((last?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(await here.lastReceivedAt(org.orgId + 1)).toBeNull();
  });
});

describe('reconciliation reports', () => {
  const aReport = (took: number): ReconcileReport => ({
    repaired: [{ repository: 'octo-org/hello', head: HEAD }],
    faults: [],
    redelivered: 1,
    missed: { 5: 2 },
    deliveriesFrom: '2026-05-04T12:00:00.000Z',
    explainsFrom: '2026-11-21T00:00:00.000Z',
    took,
  });

  it('of a clock that was ahead are none: it was set back since', async () => {
    await one.reconcileReports.save(aReport(4));
    const hourBefore = { ...one.client, clock: { now: () => new Date(Date.now() - 60 * 60_000) } };
    expect((await createReconcileReports(hourBefore).latest())?.report.took).not.toBe(4);
    expect((await one.reconcileReports.latest())?.report.took).toBe(4);
  });
});

describe('the pushers of a head', () => {
  const mona = { id: 2, login: 'mona', isMachine: false };
  const agent = { id: 3, login: 'agent[bot]', isMachine: true };
  const pushed = (head: string, pr: number) => {
    const pushers = two.pushers;
    const add = (by: typeof mona | null, store = one) =>
      store.pushers.add({ repoId: org.orgId, pr, head, by });
    return { add, read: () => pushers.of(org.orgId, pr, head) };
  };

  it('are all that a webhook named, each once, of this head only', async () => {
    const { add, read } = pushed('a5'.repeat(20), 5);
    await Promise.all([add(mona), add(mona, two), add(agent), add(null), add(null, two)]);
    const inOrder = (await read()).toSorted((one, other) => (one?.id ?? 0) - (other?.id ?? 0));
    expect(inOrder).toEqual([null, mona, agent]);
    expect(await pushed('b5'.repeat(20), 5).read()).toEqual([]);
    expect(await pushed('a5'.repeat(20), 6).read()).toEqual([]);
    // Unknown, if OTP Guard didn't write one of them.
    const of = `repo_id = ${org.orgId} && github_id = ${mona.id}`;
    const [record] = await records.collection('pushers').getFullList({ filter: of });
    await records.collection('pushers').update(record?.id ?? '', { github_id: 77 });
    expect((await read()).filter(Boolean)).toEqual([agent]);
  });

  it('are kept for 180 days, and for longer while the head is open', async () => {
    const [open, closed] = [pushed('d5'.repeat(20), 5), pushed('e5'.repeat(20), 6)];
    for (const { add } of [open, closed]) await add(mona);
    const pull = anOpenPull({ repoId: org.orgId, pr: 5, head: 'd5'.repeat(20) });
    await one.openPulls.save(org.orgId, [pull], new Date());
    await deleteExpired(one.client, new Date(Date.now() + 179 * DAY_MS));
    expect([await open.read(), await closed.read()]).toEqual([[mona], [mona]]);
    await deleteExpired(one.client, new Date(Date.now() + 181 * DAY_MS));
    expect([await open.read(), await closed.read()]).toEqual([[mona], []]);
    await one.openPulls.removeRepository(org.orgId);
    await deleteExpired(one.client, new Date(Date.now() + 181 * DAY_MS));
    expect(await open.read()).toEqual([]);
  });
});

describe('the people who asked for a pull request', () => {
  const mona = { id: 2, login: 'mona', isMachine: false };
  const dana = { ...mona, id: 3, login: 'dana' };
  const asked = (pr: number) => ({
    add: (person: typeof mona, store = one) => store.initiators.add({ repoId: org.orgId, pr, person }),
    read: () => two.initiators.of(org.orgId, pr),
  });

  it('are only ever added, each once, and unknown if OTP Guard didn’t write the record', async () => {
    const { add, read } = asked(21);
    await Promise.all([add(mona), add(mona, two), add(dana)]);
    expect((await read()).toSorted((first, second) => (first?.id ?? 0) - (second?.id ?? 0))).toEqual([
      mona,
      dana,
    ]);
    expect(await asked(22).read()).toEqual([]);
    const of = `repo_id = ${org.orgId} && github_id = ${mona.id}`;
    const [record] = await records.collection('initiators').getFullList({ filter: of });
    await records.collection('initiators').update(record?.id ?? '', { github_id: 77 });
    expect((await read()).toSorted()).toEqual([dana, null]);
  });

  it('are kept for 180 days, and for longer while the pull request is open', async () => {
    const [open, closed] = [asked(23), asked(24)];
    for (const { add } of [open, closed]) await add(mona);
    const pull = anOpenPull({ repoId: org.orgId, pr: 23, head: 'f5'.repeat(20) });
    await one.openPulls.save(org.orgId, [pull], new Date());
    await deleteExpired(one.client, new Date(Date.now() + 179 * DAY_MS));
    expect([await open.read(), await closed.read()]).toEqual([[mona], [mona]]);
    await deleteExpired(one.client, new Date(Date.now() + 181 * DAY_MS));
    expect([await open.read(), await closed.read()]).toEqual([[mona], []]);
    await one.openPulls.removeRepository(org.orgId);
    await deleteExpired(one.client, new Date(Date.now() + 181 * DAY_MS));
    expect(await open.read()).toEqual([]);
  });
});

describe('a change that no webhook was about', () => {
  it('is noted at its first time until a webhook of its installation is processed', async () => {
    const changes = one.unheardChanges;
    await changes.note(org.installationId, 2 * 60_000);
    const noted = async (forMs: number) =>
      (await two.unheardChanges.list(forMs)).filter(
        ({ installation }) => installation === org.installationId,
      );
    const [first] = await noted(119_000);
    await changes.note(org.installationId, 60_000);
    expect([await noted(119_000), await noted(3_600_000)]).toEqual([[first], []]);
    await two.deliveries.markProcessed(`guid-${org.orgId}`, 'push', org.installationId);
    expect([first?.installation, await noted(0)]).toEqual([org.installationId, []]);
  });
});

describe('the record of a check run', () => {
  it('has the time of our own clock, not the record store’s', async () => {
    const clock = new FakeClock();
    const runs = createCheckRunRecords(one.client, clock);
    const claim = await runs.claim(org.orgId, HEAD, 1);
    expect(claim?.since).toEqual(clock.now());
    expect(await createCheckRunRecords(two.client, clock).claim(org.orgId, HEAD, 1)).toBeNull();
    clock.pass(DAY_MS);
    if (claim) await runs.save(claim, 7, { phase: 'pending', fingerprint: 'x', mayBeGreen: false });
    expect(await runs.latest(org.orgId, HEAD)).toMatchObject({ checkRunId: 7, since: clock.now() });
    await runs.claim(org.orgId, HEAD, 2);
    expect((await runs.attempts(org.orgId, HEAD)).map(({ checkRunId }) => checkRunId).sort()).toEqual([
      7,
      null,
    ]);
  });

  it('is kept for 90 days if its head is closed and never passed, else for longer', async () => {
    const clock = new FakeClock();
    const runs = createCheckRunRecords(one.client, clock);
    const phases: [head: string, ...phases: RunState['phase'][]][] = [
      ['closed', 'pending'],
      ['open', 'pending'],
      ['passed', 'completed'],
      ['completing', 'completing'],
      ['failed', 'failed'],
      ['withdrawn', 'completed', 'pending'],
    ];
    for (const [head, ...all] of phases)
      for (const [index, phase] of all.entries()) {
        const claim = await runs.claim(77, head, index + 1);
        if (claim) await runs.save(claim, 7, { phase, fingerprint: 'x', mayBeGreen: false });
      }
    const pull = anOpenPull({ repoId: 77, pr: 5, head: 'open' });
    await one.openPulls.save(org.orgId, [pull], new Date());
    const left = async (days: number) => {
      await deleteExpired(one.client, new Date(clock.now().getTime() + days * DAY_MS));
      const all = await records.collection('check_runs').getFullList({ filter: 'repo_id = 77' });
      return all.map(({ head, phase }) => [head, phase].join(' ')).sort();
    };
    const all = phases.flatMap(([head, ...of]) => of.map((phase) => [head, phase].join(' '))).sort();
    expect(await left(89)).toEqual(all);
    expect(await left(91)).toEqual(all.filter((one) => !one.startsWith('closed ')));
    await one.openPulls.removeRepository(77);
    expect(await left(91)).toEqual(all.filter((one) => !/^(closed|open) /.test(one)));
    // A head that is opened again begins with a first attempt.
    expect(await runs.claim(77, 'closed', 1)).toMatchObject({ attempt: 1, checkRunId: null });
  });
});

describe('a lease', () => {
  const MS = 10_000;
  const clock = new FakeClock();
  const processes = () =>
    [one, two].map(({ client }) => createLeases({ ...client, clock }, MS).open('rounds')) as [Lease, Lease];
  beforeEach(() => clock.pass(10 * MS - (clock.now().getTime() % MS)));

  it('belongs to one of two processes that want it simultaneously, which keeps it', async () => {
    const both = processes();
    await Promise.all(both.map((lease) => lease.renew()));
    const first = both.findIndex((lease) => lease.isHeld());
    for (let round = 0; round < 10; round += 1) {
      expect(both.map((lease) => lease.isHeld())).toEqual([first === 0, first === 1]);
      clock.pass(MS / 3);
      await Promise.all(both.map((lease) => lease.renew()));
    }
  });

  it('passes on within two periods if its holder is killed, and immediately if it is given back', async () => {
    const [killed, other] = processes();
    await killed.renew();
    clock.pass(MS / 2 + 1);
    await Promise.all([killed.renew(), other.renew()]);
    clock.pass(MS);
    await other.renew();
    expect([killed.isHeld(), other.isHeld()]).toEqual([true, false]);
    clock.pass(MS / 2);
    await other.renew();
    expect([killed.isHeld(), other.isHeld()]).toEqual([false, true]);
    const [next] = processes();
    await other.release();
    await next.renew();
    expect([other.isHeld(), next.isHeld()]).toEqual([false, true]);
  });
});

describe('the store of open pull requests', () => {
  it('writes a pull request once, however the record store sorts what it saved', async () => {
    const lack = { rule: 'Both', missing: 'Needs 1.', lacking: 1, counted: [1], excluded: [2] };
    const pull = anOpenPull({
      repoId: org.orgId,
      lacks: [lack],
      reviewers: { teams: ['security'], people: [11] },
      agents: 'é'.repeat(1_100),
    });
    const records = () => all<{ changed: string }>('open_pulls', `repo_id = ${org.orgId}`);
    await one.openPulls.save(org.orgId, [pull], new Date(1000));
    const before = await records();
    await two.openPulls.save(org.orgId, [pull], new Date(2000));
    expect([before.length, await records()]).toEqual([1, before]);
    const { isSaved, withHead } = await one.openPulls.readSaved(org.orgId);
    expect([isSaved(org.orgId, pull), withHead(HEAD)]).toMatchObject([true, [{ pr: 7, base: 'main' }]]);
    const changes = [
      { base: 'release' },
      { lacks: [] },
      { title: 'Other' },
      { agents: null },
      { reviewers: { teams: [], people: [] } },
    ];
    for (const change of changes) expect(isSaved(org.orgId, { ...pull, ...change })).toBe(false);
    expect([isSaved(1, pull), isSaved(org.orgId, { ...pull, reviewers: null })]).toEqual([false, true]);
  });

  it('saves a pull request that lacks more than the record store takes, without saying what it lacks', async () => {
    const missing = 'é'.repeat(MOST_JSON_BYTES / 2);
    const lack = { rule: 'Long', missing, lacking: 1, counted: [], excluded: [] };
    const pull = anOpenPull({ repoId: org.orgId, pr: 8, lacks: [lack] });
    await one.openPulls.save(org.orgId, [pull], new Date(1000));
    expect((await one.openPulls.readSaved(org.orgId)).isSaved(org.orgId, pull)).toBe(true);
    expect(await all('open_pulls', `repo_id = ${org.orgId}`)).toMatchObject([{ pr: 8, lacks: null }]);
  });
});

describe('the stores that a round reads', () => {
  it('find the approvals and the newest run of each of more heads than a filter takes conditions', async () => {
    const heads = Array.from({ length: 250 }, (_, index) => (index + 4096).toString(16).padStart(64, 'a'));
    const [first = '', , , last = ''] = [heads[0], heads[1], heads[2], heads[249]];
    const repoId = org.orgId;
    const row = { pr: 7, user_id: 1, org_id: org.orgId };
    for (const [index, head] of [first, last].entries()) {
      const fields = { id: `q${index}${org.id.slice(2)}`, repo_id: repoId, head, ...row };
      await records.collection('approvals').create(recordSeals().signed('approvals', fields));
      for (const attempt of [1, 2]) await one.checkRunRecords.claim(repoId, head, attempt);
    }
    await one.checkRunRecords.claim(repoId + 1, first, 3);
    const approvals = await one.approvals.ofHeads(repoId, heads);
    expect(heads.filter((head) => approvals.get(head)?.valid.length === 1)).toEqual([first, last]);
    const runs = await one.checkRunRecords.latestOf(repoId, heads);
    expect([...runs].map(([head, { attempt }]) => [head, attempt])).toEqual([
      [first, 2],
      [last, 2],
    ]);
  });
});
