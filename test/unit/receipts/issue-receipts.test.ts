import { describe, expect, it } from '@jest/globals';
import { recordSubject } from '../../../src/audit/subjects.ts';
import { verifyReceipt } from '../../../src/proofs/verify-receipt.ts';
import { headReceipts } from '../../../src/receipts/head-receipts.ts';
import { issueReceipts } from '../../../src/receipts/issue-receipts.ts';
import { HEAD } from '../../support/fakes.ts';
import { aHolder, aWorld, type Holder, hashOf, statementIn } from './world.ts';

const [mona, hubot, octocat] = [aHolder(11, 'mona'), aHolder(12, 'hubot'), aHolder(13, 'octocat')];
type World = ReturnType<typeof aWorld>;

/** Octocat's key came in openly, and vouched for hubot's, which vouched for mona's. */
function vouched(): World {
  const world = aWorld();
  world.register(octocat, { enrolled: 'open' });
  for (const [by, one] of [
    [octocat, hubot],
    [hubot, mona],
  ] as [Holder, Holder][]) {
    world.register(one);
    world.vouch(by, one);
  }
  return world;
}

/** The opened receipts, each of them verified as anyone can. */
async function issue(world: World, size?: number) {
  const { receipts, proofs } = await issueReceipts(world.deps, { ...world, size });
  for (const receipt of receipts) {
    const { findings } = await verifyReceipt(receipt, { keyList: world.log.keyList });
    expect(findings.filter(({ status }) => status === 'failed')).toEqual([]);
  }
  return receipts.map((receipt, at) => ({ ...statementIn(receipt), proof: proofs[at] }));
}

/** The only receipt. */
async function issueOne(world: World) {
  const [receipt] = await issue(world);
  if (!receipt) throw new Error('no receipt');
  return receipt;
}

describe('a receipt', () => {
  it('has the vouches of its key up to a key that nobody vouched for, each with its audit paths', async () => {
    const world = vouched();
    world.approve(mona);
    const { subject, predicate, proof } = await issueOne(world);
    expect(subject).toEqual([
      { name: 'https://github.com/octo-org/hello', digest: { gitCommit: predicate.statement.head } },
    ]);
    const numbers = predicate.enrolment.map(({ registration, vouch }) =>
      [registration, vouch?.entry].map((one) => one?.number),
    );
    expect(numbers).toEqual([
      [4, 5],
      [2, 3],
      [1, undefined],
    ]);
    expect(predicate.log?.entry).toMatchObject({ number: 6, path: [expect.any(String), expect.any(String)] });
    expect(predicate).toMatchObject({ verdict: { passed: true } });
    expect(proof).toMatchObject({ signature: 'valid', enrolled: 'vouched', vouchedBy: ['hubot', 'octocat'] });
    expect(proof?.addedWith).toBeNull();
  });

  it('of a one-time code, which only the server attests, continues with the keys that let the app in', async () => {
    const world = vouched();
    const further = aHolder(mona.id, mona.login);
    world.register(further, { confirmedBy: hashOf(mona), type: 'security-key' });
    const person = { holder: { id: 11, login: 'mona' }, confirmedBy: hashOf(further) };
    world.add(recordSubject('totps', 'app'), 'totpRegister', {}, { person });
    world.approve(mona, { app: 'app' });
    const { predicate, proof } = await issueOne(world);
    expect(predicate).toMatchObject({ method: 'totp', assertion: null, publicKey: null });
    const hashes = ['', ...[further, mona, hubot, octocat].map(hashOf)];
    expect(predicate.enrolment.map(({ publicKeySha256 }) => publicKeySha256)).toEqual(hashes);
    expect(proof).toMatchObject({
      ...{ signature: 'server', enrolled: 'vouched', vouchedBy: ['hubot', 'octocat'] },
      addedWith: 'security-key',
    });
  });

  it('ends two people who vouched for each other before the same key comes twice', async () => {
    const world = aWorld();
    world.register(mona, { enrolled: 'open' });
    world.register(hubot, { enrolled: 'open' });
    world.vouch(mona, hubot);
    world.vouch(hubot, mona);
    world.approve(mona);
    // A vouch from after the approval isn't how its key came in.
    world.vouch(octocat, mona);
    const { predicate } = await issueOne(world);
    expect(
      predicate.enrolment.map(({ holder, vouch }) => [holder.login, vouch?.statement.user.login]),
    ).toEqual([
      ['mona', 'hubot'],
      ['hubot', undefined],
    ]);
  });

  it('says when its approval was withdrawn', async () => {
    const world = aWorld();
    const withdrawn = new Date('2026-05-05T00:00:00Z');
    world.register(mona, { enrolled: 'open' });
    world.approve(mona, {}, { withdrawn });
    expect((await issueOne(world)).predicate).toMatchObject({
      withdrawn: withdrawn.toISOString(),
      enrolment: [{ enrolled: 'open' }],
    });
  });

  it('of a denial is of another type and has the reason; without the signed reason there is none', async () => {
    const world = aWorld();
    world.register(mona, { enrolled: 'open' });
    world.approve(mona, { reason: 'drops a table' });
    world.approve(mona, { reason: 'drops a table' }, { reason: '' });
    const issued = await issueReceipts(world.deps, world);
    expect(issued.without).toEqual([{ commit: HEAD, why: expect.stringContaining('reason of this denial') }]);
    world.approvals.pop();
    const { predicateType, predicate, proof } = await issueOne(world);
    expect(predicateType).toBe('urn:otp-guard:denial:v1');
    expect(predicate).toMatchObject({ reason: 'drops a table', statement: { purpose: 'deny' } });
    expect(predicate).not.toHaveProperty('approved');
    expect(proof).toMatchObject({ signature: 'valid', reason: 'drops a table' });
  });

  it('of a deployment is of a third type, with the run, and a rejected one with the reason and no verdict', async () => {
    const world = aWorld();
    world.register(mona, { enrolled: 'open' });
    world.approve(mona, { run: 123 });
    world.approve(mona, { run: 123, reason: 'not on a Friday' }, { withdrawn: new Date(0) });
    const [approved, rejected] = await issue(world);
    const type = 'urn:otp-guard:deployment:v1';
    const deployment = { environment: 'release', run: 123, attempt: 1 };
    expect(approved).toMatchObject({
      predicateType: type,
      predicate: { reason: null, verdict: { passed: true }, statement: { purpose: 'deploy', ...deployment } },
      proof: { deployment, reason: null, pr: 0, withdrawn: null },
    });
    expect(rejected).toMatchObject({
      predicateType: type,
      predicate: { reason: 'not on a Friday', verdict: null, withdrawn: new Date(0).toISOString() },
      proof: { deployment, reason: 'not on a Friday' },
    });
    world.approve(mona, { run: 123, reason: 'not on a Friday' }, { reason: '' });
    const { without } = await issueReceipts(world.deps, world);
    expect(without).toEqual([
      { commit: HEAD, why: expect.stringContaining('reason of this denial or rejection') },
    ]);
  });

  it('can be proved by an earlier checkpoint, if the log of that size has the approval', async () => {
    const world = vouched();
    world.approve(mona);
    world.approve(hubot);
    const [first, second] = await issue(world, 6);
    expect(first?.predicate.log?.checkpoint).toBe(world.log.entries[5]?.checkpoint);
    expect(second).toBeUndefined();
    expect((await issueReceipts(world.deps, { ...world, size: 6 })).without).toMatchObject([
      { commit: HEAD, why: expect.any(String) },
    ]);
    await expect(issue(world, 99)).rejects.toMatchObject({ code: 'malformed' });
  });

  it('has a vouch that was signed in the same second as its approval', async () => {
    const world = aWorld();
    world.register(octocat, { enrolled: 'open' });
    world.register(mona);
    // The approval is the fourth entry.
    world.vouch(octocat, mona, new Date(Date.UTC(2026, 10, 1) + 4_000));
    world.approve(mona);
    const { predicate } = await issueOne(world);
    expect(predicate.enrolment.map(({ vouch }) => vouch?.statement.user.login)).toEqual([
      'octocat',
      undefined,
    ]);
  });

  it('has a key once, even if its entry says that it let itself in', async () => {
    const world = aWorld();
    world.register(mona, { confirmedBy: hashOf(mona) });
    world.approve(mona);
    const [receipt] = (await issueReceipts(world.deps, world)).receipts;
    expect(receipt && statementIn(receipt).predicate.enrolment).toHaveLength(1);
  });

  it('has the app that let its key in, and not an app that was added later', async () => {
    const world = aWorld();
    const app = (id: string) =>
      world.add(
        recordSubject('totps', id),
        'totpRegister',
        {},
        { person: { holder: { id: 11, login: 'mona' } } },
      );
    app('first');
    world.register(mona, { confirmedBy: 'totp' });
    app('second');
    world.approve(mona);
    const { predicate } = await issueOne(world);
    expect(predicate.enrolment.map(({ registration }) => registration?.number)).toEqual([2, 1]);
  });

  it('has the entry about what its key signed, and not another one with its subject', async () => {
    const world = aWorld();
    world.register(mona, { enrolled: 'open' });
    const person = { proofSha256: 'AAAA' };
    world.add(recordSubject('approvals', 'one'), 'webauthnCollect', {}, { person });
    world.approve(mona, {}, { id: 'one' });
    expect((await issueOne(world)).predicate.log?.entry.number).toBe(3);
  });

  it('is refused if an audit path is another entry’s', async () => {
    const world = vouched();
    world.approve(mona);
    const { paths } = world.deps.auditLog;
    world.deps.auditLog.paths = async (org, numbers, size) => (await paths(org, numbers, size)).reverse();
    await expect(issue(world)).rejects.toMatchObject({ code: 'logChanged' });
  });

  it('is refused if the log does not have what it says', async () => {
    const world = vouched();
    world.approve(mona);
    const [entry] = world.log.entries.slice(-1);
    const changed = { code: 'logChanged' };
    Object.assign(entry ?? {}, { event: { ...entry?.event, activity: 'totpCollect' } });
    await expect(issue(world)).rejects.toMatchObject(changed);
    world.log.entries.pop();
    await expect(issue(world)).rejects.toMatchObject(changed);
    world.log.entries.splice(0);
    await expect(issue(world)).rejects.toMatchObject(changed);
  });
});

it('the receipts of a head are of one repository, under each of its names, and of one pull request if it is named', async () => {
  const world = aWorld();
  world.register(mona, { enrolled: 'open' });
  const approve = (pr: number, id: number, name: string) =>
    world.approve(mona, { pull: { pr, repo: { id, name } } }, { id: `${pr}`, pr, repoId: id });
  approve(7, 42, 'old-org/hello');
  approve(8, 42, 'octo-org/renamed');
  approve(9, 43, 'octo-org/hello');
  world.approve(mona, { run: 123 }, { id: 'run', repoId: 42 });
  const erased = [42, 43].map((repoId) => ({
    id: 'erased',
    denies: repoId === 43,
    repoId,
    repo: 'hello',
    pr: 7,
  }));
  erased.push({ id: 'erased run', denies: false, repoId: 42, repo: 'hello', pr: 0 });
  const deps = {
    ...world.deps,
    organizations: { byOrgId: async () => world.org },
    members: { role: async () => 'member' },
    provedApprovals: { ofHead: async () => world.approvals, erasedOf: async () => erased },
  } as never;
  const read = async (target: { repo: string; pr?: number; repoID?: number }) => {
    const of = { ownerID: world.org.orgId, head: HEAD, ...target };
    const { proofs, without } = await headReceipts(deps, { session: {} as never, ...of });
    return [
      ...proofs.map(({ pr, deployment }) => deployment?.run ?? pr).sort(),
      ...without.map(({ why }) => why.match(/their (\w+)/)?.[1]),
    ];
  };
  expect(await read({ repo: 'Hello' })).toEqual([123, 7, 8, 'approval', 'decision']);
  expect(await read({ repo: 'renamed', pr: 7 })).toEqual([7, 'approval']);
  expect(await read({ repo: 'hello', pr: 8 })).toEqual([8]);
  expect(await read({ repo: 'hello', repoID: 43 })).toEqual([9, 'denial']);
  expect(await read({ repo: 'elsewhere' })).toEqual([]);
});
