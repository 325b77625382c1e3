import { describe, expect, it } from '@jest/globals';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { approveBatch } from '../../../src/approvals/approve/approve.ts';
import { batchTargets } from '../../../src/approvals/approve/batch.ts';
import { batchOptions } from '../../../src/approvals/approve/batch-options.ts';
import { statementChallenge } from '../../../src/approvals/approve/make-statement.ts';
import type { PullChanges } from '../../../src/approvals/ports.ts';
import type { BatchItem, BatchSubject, ListedFile } from '../../../src/contract/approvals.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { sha256OfJson } from '../../../src/shared/crypto.ts';
import { codeOf } from '../../support/code-of.ts';
import { anApproval, anInstallation, anOpenPull, aPull } from '../../support/fakes.ts';
import { aPolicy } from '../../support/policies.ts';
import { world as approvalWorld, mona, target } from './approval-world.ts';

const headOf = (pr: number) => `${pr}`.padStart(2, '0').repeat(20);
const targetAt = (pr: number, change: object = {}) => ({ ...target, pr, head: headOf(pr), ...change });

/** Mona, and the open pull requests 1 to `count`. */
async function world(count = 5) {
  const w = await approvalWorld();
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  w.pulls.all = numbers.map((number) => aPull({ number, head: headOf(number) }));
  return {
    ...w,
    batch: (targets: object[] = numbers.map((pr) => targetAt(pr)), person = mona, orgID = 9) =>
      batchOptions(w, { person, orgID, targets: targets as (typeof target)[] }),
    approveBatch: (response: object, person = mona, orgID = 9) =>
      approveBatch(w, { person, orgID, response: response as AuthenticationResponseJSON }),
    change: (number: number, change: object) =>
      void Object.assign(w.pulls.all?.find((pull) => pull.number === number) ?? {}, change),
    given: () => w.approvals.stored.map(({ pr }) => pr).sort(),
    used: () => w.stage.calls.filter((call) => /^(challenges.consume|credentials.recordUse)$/.test(call)),
  };
}

const aFile = (path: string): ListedFile => ({
  ...{ path, previousPath: null, status: 'modified', sha: 'aa'.repeat(20), additions: 1, deletions: 1 },
  ...{ kind: 'text', patch: { text: '+'.repeat(16_001), isCut: false, isHiding: false } },
});

const reasons = (items: object[]) => items.map((item) => ('why' in item ? item.why : 'ready'));

describe('an approval of several heads', () => {
  it('stores each like a single one, with the one assertion over the hashes of all', async () => {
    const w = await world(3);
    const { challenge, options, statement, items } = await w.batch();
    const statements = items.map((item) => (item as BatchItem).statement);
    const approvals = statements.map(sha256OfJson);
    expect(statement).toMatchObject({
      purpose: 'approve-batch',
      user: { id: 11 },
      org: { id: 9 },
      approvals,
    });
    expect(challenge).toBe(sha256OfJson(statement));
    const response = w.key.get(options);
    expect(await batchTargets(w, { userId: 'mona', orgID: 9, response: response as never })).toHaveLength(3);
    const answer = await w.approveBatch(response);
    const done = { repo: 'hello', redirect: expect.any(String), reported: true, passed: true, needs: null };
    expect(answer).toEqual({ approved: [1, 2, 3].map((pr) => ({ ...done, pr })), left: [] });
    expect(w.used()).toEqual(['challenges.consume', 'credentials.recordUse']);
    const proof = { assertion: response, publicKey: w.key.publicKey, batch: statement };
    for (const { pr, of } of w.approvals.stored) {
      const own = statements[pr - 1];
      expect(of).toMatchObject({ statement: own, proof });
      const entry = w.approvals.activities.find(({ data }) => data.pr === pr);
      expect(entry?.personFacts?.proofSha256).toBe(sha256OfJson({ statement: own, ...proof }));
      expect(entry?.personFacts?.verdict).toMatchObject({ passed: true });
    }
  });

  it('leaves out pull requests that changed since the signature or that their rules refuse, and says why', async () => {
    const w = await world();
    w.change(4, { base: 'release' });
    w.policies.policy = aPolicy([
      { when: { branches: ['main'] }, require: {} },
      { name: 'verified', when: { branches: ['release'] }, require: { userVerification: 'required' } },
    ]);
    const response = w.key.get((await w.batch()).options, { flags: 0x01 });
    w.change(1, { head: headOf(9) });
    w.change(2, { base: 'next' });
    w.change(3, { open: false, merged: true });
    const { approved, left } = await w.approveBatch(response);
    expect(left.map(({ pr, why }) => `${pr}: ${why}`)).toEqual([
      '1: This pull request has a new commit. Look at it before you approve or deny it.',
      '2: This pull request now merges into another branch. Look at it before you approve or deny it.',
      '3: This pull request was merged.',
      expect.stringMatching(/^4: Your approval wouldn't count: the rule “verified” /),
    ]);
    expect([...approved.map(({ pr }) => pr), ...w.given()]).toEqual([5, 5]);
  });

  it('uses nothing up if all are left out, or if GitHub can’t be asked about one of them', async () => {
    const w = await world(2);
    const response = w.key.get((await w.batch()).options);
    w.policies.policy = aPolicy([{ name: 'owners', require: { from: ['owners'] } }]);
    const refused = expect.stringMatching(/the rule “owners” asks for an owner/);
    expect(reasons((await w.approveBatch(response)).left)).toEqual([refused, refused]);
    w.policies.policy = aPolicy([]);
    w.stage.fail('pullRequests.get', 'githubUnavailable');
    expect(await codeOf(w.approveBatch(response))).toBe('githubUnavailable');
    expect([...w.used(), ...w.given()]).toEqual([]);
    expect((await w.approveBatch(response)).approved).toHaveLength(2);
  });

  it('that isn’t stored leaves the others as they are, stored or not', async () => {
    for (const [when, error, why] of [
      ['before', 'storeUnavailable', /record store/],
      ['before', new Error('secret'), /^Something went wrong/],
      ['after', 'storeUnavailable', /record store/],
    ] as const) {
      const w = await world();
      const { options } = await w.batch();
      let adds = 0;
      w.stage.gate = async (call) => {
        if (call === 'approvals.add') adds += 1;
        if (call === 'approvals.add' && adds === 2) w.stage.fail(call, error, { when });
      };
      const answer = await w.approveBatch(w.key.get(options));
      expect([answer.approved.length, reasons(answer.left)]).toEqual([4, [expect.stringMatching(why)]]);
      expect([w.given().length, w.notStored.length]).toEqual([when === 'after' ? 5 : 4, 1]);
    }
  });

  it('is refused by a pending authenticator of a person whose other one counts', async () => {
    const w = await world(2);
    const pending = w.addPending();
    const { options } = await w.batch();
    expect(await codeOf(w.approveBatch(pending.get(options)))).toBe('pendingAuthenticator');
    expect(w.approvals.stored).toEqual([]);
  });

  it('is no answer to a single one, of another person or organization, or over another batch', async () => {
    const w = await world(2);
    w.pulls.all?.push(aPull());
    const { options, items } = await w.batch();
    const response = w.key.get(options);
    const [first] = items as BatchItem[];
    const kept = structuredClone(w.challenges.stored[0]);
    const withSubject = async (change: (subject: BatchSubject) => object) => {
      const copy = structuredClone(kept?.subject) as BatchSubject;
      Object.assign(w.challenges.stored[0] ?? {}, { subject: { ...copy, ...change(copy) } });
      return codeOf(w.approveBatch(response));
    };
    const other = { ...first?.statement, pr: 7 } as BatchItem['statement'];
    expect([
      await codeOf(w.approve(response)),
      await codeOf(w.approve(w.key.get({ challenge: statementChallenge(first?.statement as never) }))),
      await codeOf(w.approveBatch(w.key.get((await w.options()).options))),
      await codeOf(w.approveBatch(response, { ...mona, userId: 'octocat', githubId: 12 })),
      await codeOf(w.approveBatch(response, mona, 10)),
      await withSubject(({ items: [one] }) => ({ items: [{ ...one, statement: other }] })),
      // The first item alone is in the batch.
      await withSubject(({ items: [one, two] }) => ({ items: [one, { ...two, statement: other }] })),
      await withSubject(({ batch }) => ({ batch: { ...batch, approvals: [statementChallenge(other)] } })),
      await withSubject(({ batch }) => ({ batch: { ...batch, nonce: 'AAAA' } })),
    ]).toEqual(Array(9).fill('challengeUnknown'));
    // A target that isn't the statement's leads nowhere.
    await withSubject(({ items: [one] }) => ({ items: [{ ...one, target }] }));
    expect([...w.used(), ...w.given()]).toEqual([]);
  });
});

describe('the options of several approvals', () => {
  it('leave out, in their order, heads that can’t be approved now, and ask nothing about other organizations', async () => {
    const w = await world();
    w.change(2, { open: false });
    w.change(4, { base: 'release' });
    w.approvals.put(anApproval({ githubId: 11, pr: 3, head: headOf(3) }));
    w.policies.policy = aPolicy([
      { when: { branches: ['main'] }, require: {} },
      { name: 'owners', when: { branches: ['release'] }, require: { from: ['owners'] } },
    ]);
    const elsewhere = { installation: 6, owner: 'other-org', ownerID: 10 };
    const { items, statement } = await w.batch([
      ...[targetAt(1, elsewhere), targetAt(1), targetAt(1, { repo: 'Hello', repoID: 42 })],
      ...[targetAt(2), targetAt(3), targetAt(4), targetAt(5, { head: headOf(6) }), targetAt(5)],
    ]);
    expect(reasons(items)).toEqual([
      'This pull request belongs to another organization.',
      'ready',
      'This pull request is in the list twice.',
      'This pull request is closed.',
      'You approved this commit already.',
      "Your approval wouldn't count: the rule “owners” asks for an owner.",
      'This pull request has a new commit. Look at it before you approve or deny it.',
      'ready',
    ]);
    expect(statement.approvals).toHaveLength(2);
    expect(w.stage.calls.filter((call) => call === 'pullRequests.get')).toHaveLength(7);
  });

  it('put first what a person should look at, then what isn’t listed, and are signed in this order', async () => {
    const w = await world();
    w.change(4, { open: false });
    for (const pr of [1, 2, 3, 5])
      w.change(pr, { size: { files: pr === 5 ? 2 : 1, additions: 1, deletions: 1 } });
    const asked: string[] = [];
    const list: PullChanges['list'] = async (_, pr, most) => {
      asked.push(`${pr} ${most}`);
      if (pr === 2) return new Promise(() => undefined);
      const files = [aFile(pr === 3 ? '.github/workflows/ci.yml' : 'src/app.ts')];
      return { files, isOf: ({ size }) => size?.files === files.length };
    };
    Object.assign(w.pullChanges, { list });
    const slept: number[] = [];
    const deps = { ...w, sleep: async (ms: number) => slept.push(ms) };
    const request = { person: mona, orgID: 9, targets: [1, 2, 3, 4, 5].map((pr) => targetAt(pr)) };
    const { items, statement } = await batchOptions(deps, { ...request, files: 'soon' });
    expect(items.map((item) => ('why' in item ? item.pr : item.statement.pr))).toEqual([3, 2, 5, 1, 4]);
    const ready = items.filter((item) => 'statement' in item);
    expect(statement.approvals).toEqual(ready.map((item) => sha256OfJson(item.statement)));
    expect(ready.map(({ files }) => files?.isComplete ?? null)).toEqual([true, null, false, true]);
    // The files of twenty pull requests are one answer.
    expect(ready[0]?.files?.listed[0]?.patch).toEqual({ text: '', isCut: true, isHiding: false });
    expect([...new Set(slept)]).toEqual([2_000]);
    expect(asked.toSorted()).toEqual(['1 first', '2 first', '3 first', '4 first', '5 first']);
    // The page's order is kept by a request without files, which asks GitHub for none.
    const again = await batchOptions(deps, request);
    expect(again.items.map((item) => ('why' in item ? item.pr : item.statement.pr))).toEqual([1, 2, 3, 4, 5]);
    expect(asked).toHaveLength(5);
  });

  it('leave out one whose repository went to another organization, and have no challenge without any other', async () => {
    const w = await world(2);
    const account = { ...anInstallation().account, id: 10, login: 'other-org' };
    w.installations.all.push({ ...anInstallation({ id: 6, account }), repositories: [] });
    for (const one of w.installations.all) await w.organizations.save(one);
    w.members.set(10, mona.githubId, 'member');
    await w.openPulls.save(10, [anOpenPull({ pr: 1, head: headOf(1) })], w.clock.now());
    w.change(1, { repo: { ...aPull().repo, owner: 'other-org', ownerId: 10 } });
    const says = new AppError('otherOrganization').message;
    const { items, statement } = await w.batch();
    expect([reasons(items), statement.approvals.length]).toEqual([[says, 'ready'], 1]);
    w.challenges.stored.splice(0);
    await expect(w.batch([targetAt(1)])).rejects.toMatchObject({ code: 'nothingToApprove', message: says });
    expect(w.challenges.stored).toEqual([]);
  });

  it('ask for the user verification that a rule of one of them requires', async () => {
    const w = await world(2);
    const asked = async () => (await w.batch()).options.userVerification;
    w.policies.policy = aPolicy([
      { when: { branches: ['main'] }, require: {} },
      { when: { branches: ['release'] }, require: { userVerification: 'required' } },
    ]);
    expect(await asked()).toBe('preferred');
    w.change(2, { base: 'release' });
    expect(await asked()).toBe('required');
  });

  it('are refused if nothing is left, with the reason if there is one, and without an authenticator', async () => {
    const w = await world(2);
    const message = async () => w.batch().catch((error: Error) => error.message);
    w.change(1, { open: false });
    w.change(2, { head: headOf(9) });
    expect(await message()).toMatch(/^None of these pull requests can be approved now/);
    w.members.roles.clear();
    expect(await message()).toMatch(/^You aren't a member of this organization\./);
    w.credentials.stored.splice(0);
    expect(await codeOf(w.batch())).toBe('missingAuthenticator');
    expect(await codeOf(w.batch([targetAt(1)], mona, 10))).toBe('installationNotFound');
  });
});
