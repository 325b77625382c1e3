import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { approvalOptions } from '../../../src/approvals/approve/approval-options.ts';
import { approve } from '../../../src/approvals/approve/approve.ts';
import { statementChallenge } from '../../../src/approvals/approve/make-statement.ts';
import { isWelcomeSomewhere } from '../../../src/approvals/approve/outside-collaborators.ts';
import { judgeHead, syncCheckRun } from '../../../src/approvals/check-run/head.ts';
import { loggedCredential } from '../../../src/authenticators/logged-credential.ts';
import type { Statement } from '../../../src/contract/statement.ts';
import type { Organization } from '../../../src/organizations/ports.ts';
import { policySha256 } from '../../../src/policies/policy.ts';
import type { AppError } from '../../../src/shared/app-error.ts';
import { sha256OfJson } from '../../../src/shared/crypto.ts';
import { CodeApp } from '../../support/authenticator.ts';
import { codeOf } from '../../support/code-of.ts';
import { anApproval, anOpenPull, aPull, aRepository, aTotpApp, BASE_SHA, HEAD } from '../../support/fakes.ts';
import { aPolicy } from '../../support/policies.ts';
import { seeded } from '../../support/seeded.ts';
import { until } from '../../support/until.ts';
import { mona, target, type World, world } from './approval-world.ts';
import { interleave } from './interleaving.ts';
import { fakeTimers, HEAD_REF, OTHER } from './world.ts';

const MONA = { id: 11, login: 'mona' };
const SEED = { name: '', enforced: true, met: true, missing: '', by: ['mona'] };

/** Gives Mona an authenticator app, and returns the code that it shows. */
function codeIn(w: World): string {
  const app = aTotpApp({ orgRecordId: w.organizations.stored[0]?.id ?? '' });
  w.totpApps.stored.push(app);
  return new CodeApp(app.secret).codeAt(w.clock.now().getTime());
}

const approved = (w: World) => w.approvals.stored.map(({ head, base }) => [head, base]);

describe('an approval with a passkey or security key', () => {
  it('stores the statement, the assertion and the public key, then completes the check run', async () => {
    const w = await world();
    const { options, statement } = await w.options();
    const response = w.key.get(options);
    expect(await w.approve(response)).toEqual({
      redirect: 'https://github.com/octo-org/hello/pull/7',
      reported: true,
      passed: true,
      needs: null,
    });
    expect(w.approvals.stored[0]?.of).toMatchObject({
      statement,
      proof: { assertion: response, publicKey: w.key.publicKey },
      method: 'passkey',
      user: { id: 11, recordId: 'mona', login: 'mona' },
    });
    expect(w.approvals.activities).toEqual([
      {
        activity: 'webauthnCollect',
        userId: 'mona',
        orgRecordId: w.organizations.stored[0]?.id,
        data: {
          type: 'passkey',
          label: 'Key',
          login: 'mona',
          user: 'mona',
          sha: HEAD,
          pr: 7,
          base: 'main',
          repo: 'hello',
          org: 'octo-org',
        },
        facts: { repoId: 42, userVerified: true, aaguid: '', modelVerified: false },
        personFacts: {
          by: MONA,
          holder: MONA,
          credential: loggedCredential({ keyId: response.id, publicKey: w.key.publicKey }),
          proofSha256: sha256OfJson({ statement, assertion: response, publicKey: w.key.publicKey }),
          verdict: expect.objectContaining({ passed: true, policyNumber: 0, rules: [SEED] }),
        },
      },
    ]);
    expect([w.challenges.consumed.size, w.checkRuns.shown(HEAD)?.content.status]).toEqual([1, 'completed']);
    const { calls } = w.stage;
    expect(calls.indexOf('challenges.consume')).toBeLessThan(calls.indexOf('credentials.recordUse'));
    expect(calls.indexOf('approvals.add')).toBeLessThan(calls.indexOf('checkRuns.create'));
  });

  it.each([
    ...[{ nonce: 'another' }, { host: 'https://other.example' }, { user: { id: 12, login: 'mona' } }],
    ...[{ org: { id: 8, login: 'octo-org' } }, { repo: { id: 43, name: 'octo-org/hello' } }, { pr: 8 }],
  ])('is refused if the statement behind the challenge is another one: %j', async (change) => {
    const w = await world();
    const { options } = await w.options();
    const [stored] = w.challenges.stored;
    const subject = Object.assign(stored?.subject as Statement, change);
    // Only a challenge that is the hash of its statement gets as far as the comparison with the target.
    const challenge = 'nonce' in change ? options.challenge : statementChallenge(subject);
    Object.assign(stored ?? {}, { challenge });
    expect(await codeOf(w.approve(w.key.get({ ...options, challenge })))).toBe('challengeUnknown');
    expect([w.challenges.consumed.size, w.approvals.stored]).toEqual([0, []]);
  });

  it('is refused before anything is used up after 20 of the head by the same person, withdrawn or not', async () => {
    const w = await world();
    const begun = await w.options();
    for (let given = 0; given < 20; given += 1) {
      const { id } = w.approvals.put(anApproval({ githubId: given === 0 ? 12 : mona.githubId, pr: 7 }));
      await w.approvals.withdraw({ id } as never, { activity: {} as never, notices: [] });
    }
    const last = await w.options();
    expect(last.refusal).toBeNull();
    expect((await w.approve(w.key.get(begun.options))).passed).toBe(true);
    expect((await w.options()).refusal).toBeNull();
    w.approvals.stored.splice(-1, 1, ...w.approvals.stored.slice(-2, -1));
    w.stage.calls.splice(0);
    expect((await w.options()).refusal).toMatch(/^You approved or denied this commit 20 times already\. /);
    expect(await codeOf(w.approve(w.key.get(last.options)))).toBe('approvedTooOften');
    expect(w.stage.calls.filter((call) => /^challenges\.consume|recordUse/.test(call))).toEqual([]);
  });

  it('asks GitHub before it consumes the challenge, so that the person can try again after an outage', async () => {
    const w = await world();
    const { options } = await w.options();
    w.stage.fail('pullRequests.get', 'githubUnavailable');
    expect(await codeOf(w.approve(w.key.get(options)))).toBe('githubUnavailable');
    expect(w.challenges.consumed.size).toBe(0);
    expect((await w.approve(w.key.get(options))).reported).toBe(true);
  });

  it.each([
    ['head', { head: OTHER }],
    ['base', { base: 'next' }],
  ])('is refused or stored as it was signed if the %s moves at any moment', async (what, change) => {
    const plain = await world();
    const { options } = await plain.options();
    plain.stage.calls.splice(0);
    await plain.approve(plain.key.get(options));
    const steps = plain.stage.calls.length * 2;
    expect(steps).toBeGreaterThan(20);
    for (let moves = 1; moves <= steps; moves += 1) {
      const w = await world();
      const begun = await w.options();
      let step = 0;
      w.stage.gate = async () => {
        step += 1;
        if (step === moves) w.pulls.all = [aPull(change)];
      };
      const answer = await w.approve(w.key.get(begun.options)).catch((error: AppError) => error.code);
      w.stage.gate = async () => undefined;
      expect([moves, w.checkRuns.shown(OTHER)]).toEqual([moves, undefined]);
      const isRefused = typeof answer === 'string';
      expect([moves, approved(w)]).toEqual([moves, isRefused ? [] : [[HEAD, 'main']]]);
      if (isRefused) expect([moves, answer]).toEqual([moves, `${what}Moved`]);
    }
  });

  it('never completes a run that is newer than the pull requests it has read', async () => {
    const w = await world();
    await syncCheckRun(w, HEAD_REF);
    const { options } = await w.options();
    w.stage.gate = async (call) => {
      if (call !== 'pullRequests.listOpen answered') return;
      w.stage.gate = async () => undefined;
      // Otherwise the other pull request would be found by what was saved.
      w.stage.fail('openPulls.save', 'storeUnavailable');
      w.pulls.all = [aPull(), aPull({ number: 8, base: 'next' })];
      await syncCheckRun(w, HEAD_REF);
    };
    await w.approve(w.key.get(options));
    const shown = w.checkRuns.created.map(({ content }) => content.status);
    expect(shown).toEqual(['completed', 'in_progress', 'in_progress']);
  });

  it('is answered as soon as GitHub shows it, and counts as unreported until that was looked at again', async () => {
    const w = await world();
    await syncCheckRun(w, HEAD_REF);
    const { options } = await w.options();
    let look = () => {};
    const mayLook = new Promise<void>((go) => {
      look = go;
    });
    w.stage.gate = async (call) => {
      if (call === 'pullRequests.listOpen' && w.stage.calls.includes('checkRuns.update')) await mayLook;
    };
    expect(await w.approve(w.key.get(options))).toMatchObject({ reported: true });
    expect(w.checkRuns.created.at(-1)?.content).toMatchObject({ conclusion: 'success' });
    expect(w.unfinished).toHaveLength(1);
    expect(await w.approvals.unreportedHeads()).toHaveLength(1);
    look();
    await until('the look', async () => (await w.approvals.unreportedHeads()).length === 0);
  });

  it('isn’t judged by pull requests that were read long ago, if storing it takes long', async () => {
    const w = await world();
    await syncCheckRun(w, HEAD_REF);
    const { options } = await w.options();
    w.stage.gate = async (call) => {
      if (call !== 'approvals.add') return;
      w.clock.pass(6_000);
      w.pulls.all = [aPull(), aPull({ number: 8, base: 'next' })];
    };
    await w.approve(w.key.get(options));
    expect(w.stage.calls).not.toContain('checkRuns.update');
    expect(w.checkRuns.shown(HEAD)?.content.status).toBe('in_progress');
  });

  it('is refused by a pending authenticator of a person whose other one counts', async () => {
    const w = await world();
    const pending = w.addPending();
    const { options } = await w.options();
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual([w.key.id]);
    expect(await codeOf(w.approve(pending.get(options)))).toBe('pendingAuthenticator');
    expect([w.approvals.stored, w.checkRuns.shown(HEAD)?.content.status]).toEqual([[], undefined]);
  });
});

describe('the options of an approval', () => {
  it('name the person’s authenticators in the organization, and the statement to sign', async () => {
    const w = await world();
    const { challenge, options, statement, pull } = await w.options();
    expect(options).toMatchObject({
      challenge,
      rpId: 'guard.example.org',
      userVerification: 'preferred',
      timeout: 60_000,
    });
    expect(options.allowCredentials?.map(({ id }) => id)).toEqual([w.key.id]);
    expect(statement).toMatchObject({ head: HEAD, base: 'main', pr: 7, org: { id: 9 }, user: { id: 11 } });
    expect(pull).toEqual({
      title: 'A change',
      author: { login: 'mona', avatarUrl: 'https://avatars.example/mona' },
      url: 'https://github.com/octo-org/hello/pull/7',
      changesUrl: `https://github.com/octo-org/hello/compare/${BASE_SHA}...${HEAD}`,
      headBranch: 'feature',
      approvedBefore: null,
      size: null,
    });
    expect(w.challenges.stored).toMatchObject([
      { challenge, purpose: 'approve', userId: 'mona', orgId: 9, subject: statement },
    ]);
  });

  describe('with the changed files', () => {
    const files = [
      { path: '.github/ci.yml', status: 'modified', sha: 'aa'.repeat(20) },
      { path: 'gone.md', status: 'removed', sha: null },
      { path: 'b.md', status: 'renamed', sha: 'bb'.repeat(20), previousPath: 'CODEOWNERS' },
    ].map((file) => ({
      ...{ previousPath: null, additions: 1, deletions: 1, kind: 'text' as const },
      ...{ patch: { text: `+${file.path}`, isCut: false, isHiding: false }, ...file },
    }));
    const changing = async (count: number) => {
      const w = await world();
      w.pulls.all = [aPull({ size: { files: count, additions: 2, deletions: 2 } })];
      w.pullChanges.listed = files;
      return w;
    };

    it('sign their list, with the rules that name them', async () => {
      const w = await changing(3);
      w.policies.policy = aPolicy([
        { name: 'CI', when: { paths: ['.github/**'] } },
        { name: 'owners', when: { paths: ['CODEOWNERS'] } },
      ]);
      const { statement, files: shown } = await w.options();
      expect(w.stage.calls.filter((call) => call === 'policies.inForce')).toHaveLength(1);
      const signed = [
        ['.github/ci.yml', 'modified', 'aa'.repeat(20)],
        ['gone.md', 'removed', null],
        ['b.md', 'renamed', 'bb'.repeat(20), 'CODEOWNERS'],
      ];
      expect(statement.files).toBe(createHash('sha256').update(JSON.stringify(signed)).digest('base64url'));
      expect(shown).toMatchObject({ total: 3, isComplete: true });
      expect(shown?.listed.map(({ rules }) => rules)).toEqual([['CI'], [], ['owners']]);
      expect(shown?.listed.map(({ marks }) => marks.map(({ name }) => name))).toEqual([
        ['GitHub settings', 'Rule: CI'],
        [],
        ['Code owners', 'Rule: owners'],
      ]);
      const anchor = createHash('sha256').update('gone.md').digest('hex');
      expect(shown?.listed[1]).toMatchObject({ anchor, patch: { text: '+gone.md', isCut: false } });
      expect(w.challenges.stored).toMatchObject([{ subject: statement }]);
    });

    it('let other work go first while they look for the rules that name them', async () => {
      const w = await changing(100);
      const [file] = files as [(typeof files)[0]];
      w.pullChanges.listed = Array.from({ length: 100 }, (_, at) => ({
        ...{ ...file, path: `${at}${'a'.repeat(4_000)}` },
      }));
      w.policies.policy = aPolicy([{ name: 'long', when: { paths: [`*${'a'.repeat(98)}b*c`] } }]);
      let turns = 0;
      let isDone = false;
      const counted = (async () => {
        for (; !isDone; turns += 1) await setImmediate();
      })();
      await w.options();
      isDone = true;
      await counted;
      expect(turns).toBeGreaterThanOrEqual(15);
    });

    it('sign nothing of a list that isn’t whole, and show its beginning', async () => {
      const { statement, files: shown } = await (await changing(4)).options();
      expect([statement.files, shown?.total, shown?.isComplete]).toEqual([undefined, 4, false]);
    });

    it('never wait or fail for it', async () => {
      const w = await changing(3);
      w.stage.fail('pullChanges.list', 'githubUnavailable');
      expect((await w.options()).files).toBeNull();
      w.pullChanges.list = () => new Promise(() => undefined);
      expect((await w.options()).files).toBeNull();
    });

    it('wait two seconds at most for the whole list if it’s wanted soon', async () => {
      const w = await changing(3);
      const slept: number[] = [];
      const asked: string[] = [];
      const list = (_repo: unknown, _pr: unknown, most: string) => {
        asked.push(most);
        return new Promise(() => undefined);
      };
      Object.assign(w.pullChanges, { list });
      const deps = { ...w, sleep: async (ms: number) => slept.push(ms) };
      const { files: shown, statement } = await approvalOptions(deps, {
        person: mona,
        target,
        files: 'soon',
      });
      expect([shown, statement.files, slept, asked]).toEqual([null, undefined, [2_000], ['all']]);
    });
  });

  it('are refused without an authenticator, and by code to who has a passkey, which they should use', async () => {
    const w = await world();
    const [key] = w.credentials.stored.splice(0);
    expect([await codeOf(w.options()), w.challenges.stored]).toEqual(['missingAuthenticator', []]);
    w.credentials.stored.push(key as NonNullable<typeof key>);
    await expect(approvalOptions(w, { person: mona, target, method: 'totp' })).rejects.toMatchObject({
      code: 'wouldNotCount',
      message: expect.stringContaining('Use your passkey or security key'),
    });
  });

  it('have the check run of this head compared with GitHub’s, because a person waits for it now', async () => {
    const w = await world();
    await w.options();
    expect(w.looked).toEqual([HEAD_REF]);
  });

  it('are the same for an old link, which doesn’t have the repository’s id', async () => {
    const w = await world();
    w.approvals.put(anApproval({ githubId: mona.githubId }));
    const { pull, rules, yourApproval, options } = await w.options();
    const { challenge: _random, ...request } = options;
    expect(yourApproval).not.toBeNull();
    const { repoID: _missing, ...named } = target;
    const old = await approvalOptions(w, { person: mona, target: named });
    expect(old).toMatchObject({ pull, rules, yourApproval, options: request });
  });

  it('ask GitHub for no list, unless more than ten other pull requests are known to have the commit', async () => {
    const w = await world();
    const others = (count: number) =>
      Array.from({ length: count }, (_, at) => aPull({ number: 8 + at, base: `release-${at}` }));
    const isListed = async (count: number) => {
      w.pulls.all = [aPull(), ...others(count)];
      const saved = others(count).map(({ number: pr, base }) => anOpenPull({ pr, base }));
      await w.openPulls.save(9, saved, w.clock.now());
      w.approvals.put(anApproval({ githubId: mona.githubId }));
      w.stage.calls.splice(0);
      expect((await w.options()).needs).toContain(`and ${count - 8} more too`);
      return w.stage.calls.includes('pullRequests.listOpen');
    };
    expect([await isListed(10), await isListed(11)]).toEqual([false, true]);
  });

  it('name the head that was approved before, so that the person can see what has changed', async () => {
    const w = await world();
    w.approvals.put(anApproval({ head: OTHER }));
    expect((await w.options()).pull.approvedBefore).toBe(OTHER);
  });
});

describe('an approval that would count for nothing', () => {
  const ORDER = [{ name: 'owners', require: { from: ['owners'], userVerification: 'required' } }];
  const VERIFIED = { userVerification: 'required' };
  const asksFor = "Your approval wouldn't count: the rule “owners” asks for an owner.";

  it('is refused before the challenge is used up, and the same answer is taken when it counts', async () => {
    const w = await world();
    const response = w.key.get((await w.options()).options);
    w.policies.policy = aPolicy(ORDER);
    await expect(w.approve(response)).rejects.toMatchObject({ code: 'wouldNotCount', message: asksFor });
    expect([w.challenges.consumed.size, approved(w)]).toEqual([0, []]);
    w.members.set(9, mona.githubId, 'admin');
    await w.approve(response);
    expect([approved(w), w.checkRuns.shown(HEAD)?.content.status]).toEqual([[[HEAD, 'main']], 'completed']);
  });

  it('is refused if the authenticator didn’t verify the person', async () => {
    const w = await world();
    w.policies.policy = aPolicy(ORDER);
    w.members.set(9, mona.githubId, 'admin');
    const { options, refusal } = await w.options();
    expect(refusal).toBeNull();
    expect(await codeOf(w.approve(w.key.get(options, { flags: 0x01 })))).toBe('wouldNotCount');
    expect(w.challenges.consumed.size).toBe(0);
  });

  it('says so of a key that turns out to be copyable', async () => {
    const w = await world();
    w.policies.policy = aPolicy([], { assurance: { deviceBound: true } });
    const BACKUP_ELIGIBLE = 0x08;
    const { options, refusal } = await w.options();
    expect(refusal).toBeNull();
    await expect(w.approve(w.key.get(options, { flags: 0x05 | BACKUP_ELIGIBLE }))).rejects.toMatchObject({
      code: 'wouldNotCount',
      message: expect.stringMatching(/accepts only authenticators whose key can't leave the device/),
    });
    expect(w.challenges.consumed.size).toBe(0);
  });

  it.each([
    ['the policy requires', [], { assurance: { userVerification: 'required' } }, 'required'],
    ['a rule that applies requires', [{ require: VERIFIED }], {}, 'required'],
    [
      'a rule that may apply requires',
      [{ when: { paths: ['secret/**'] }, require: VERIFIED }],
      {},
      'required',
    ],
    ['a rule that is only reported requires', [{ enforced: false, require: VERIFIED }], {}, 'preferred'],
    [
      'a rule for another branch requires',
      [{ when: { branches: ['old'] }, require: VERIFIED }],
      {},
      'preferred',
    ],
    [
      'a rule requires of others',
      [{ require: {} }, { require: { ...VERIFIED, from: ['owners'] } }],
      {},
      'preferred',
    ],
    ['nobody requires', [{ require: {} }], {}, 'preferred'],
  ])(
    'is prevented by options that ask for the user verification that %s',
    async (_who, rules, others, asked) => {
      const w = await world();
      w.policies.policy = aPolicy(rules, others);
      w.pullChanges.changed = { paths: [], isComplete: false };
      expect((await w.options()).options.userVerification).toBe(asked);
    },
  );

  it('doesn’t keep its person from another counting authenticator, after a rule asks for more', async () => {
    const w = await world();
    await w.give({ flags: 0x01 });
    expect(w.checkRuns.shown(HEAD)?.content.status).toBe('completed');
    w.policies.policy = aPolicy([{ require: { userVerification: 'required' } }]);
    expect((await w.options()).yourApproval).toBeNull();
    for (let round = 0; round < 2; round += 1) await w.give({ flags: 0x05 });
    expect([w.approvals.stored.length, w.checkRuns.shown(HEAD)?.content.status]).toEqual([2, 'completed']);
    expect((await w.options()).yourApproval).toMatchObject({ method: 'passkey' });
  });

  it('is logged with the verdict over every approval of its head, by the policy in force', async () => {
    const w = await world();
    const ofOwner = { enforced: false, require: { from: ['owners'] } };
    w.policies.policy = aPolicy([{ require: { approvals: 2 } }, ofOwner]);
    w.members.set(9, 12, 'admin');
    const give = async () => {
      await w.give();
      const { verdict } = w.approvals.activities.at(-1)?.personFacts ?? {};
      expect(verdict?.policySha256).toBe(policySha256(w.policies.policy));
      return [verdict?.passed, ...(verdict?.rules ?? []).map(({ met, by }) => `${met}: ${by}`)];
    };
    expect(await give()).toEqual([false, 'false: mona', 'false: ']);
    w.approvals.stored.splice(0);
    w.approvals.put(anApproval({ githubId: 12, login: 'octocat' }));
    expect(await give()).toEqual([true, 'true: octocat,mona', 'true: octocat']);
  });

  it('with a one-time code is logged without a credential', async () => {
    const w = await world();
    await approve(w, { person: mona, target, proof: { base: 'main', code: codeIn(w) } });
    const { facts, personFacts } = w.approvals.activities[0] ?? {};
    const statement = w.approvals.stored[0]?.of?.statement;
    const proofSha256 = sha256OfJson({ statement, assertion: null, publicKey: null });
    expect(facts).toEqual({ repoId: 42, userVerified: false, aaguid: '', modelVerified: false });
    expect(personFacts).toMatchObject({ proofSha256, verdict: { passed: true, rules: [{ by: ['mona'] }] } });
    expect(personFacts).not.toHaveProperty('credential');
  });

  it('is refused before a one-time code is looked at', async () => {
    const w = await world();
    w.policies.policy = aPolicy([{ require: { methods: ['passkey'] } }]);
    const code = approve(w, { person: mona, target, proof: { base: 'main', code: '123456' } });
    expect(await codeOf(code)).toBe('wouldNotCount');
    expect(w.stage.calls.filter((call) => /^(totpApps|codeFailures)/.test(call))).toEqual([]);
  });

  it('is announced by the options, with what each rule says', async () => {
    const w = await world();
    w.policies.policy = aPolicy([...ORDER, { name: 'all', enforced: false }]);
    w.approvals.put(anApproval({ githubId: 11 }));
    const { refusal, rules, yourApproval } = await w.options();
    expect([refusal, yourApproval]).toEqual([asksFor, null]);
    const owners = 'Needs 1 more approval from an owner, with user verification.';
    expect(rules).toEqual([
      { name: 'owners', enforced: true, met: false, approvals: 1, by: [], missing: owners },
      { name: 'all', enforced: false, met: true, approvals: 1, by: ['mona'], missing: '' },
    ]);
  });

  it('is none in the default policy, which costs no more requests to GitHub', async () => {
    const w = await world();
    const { options, refusal, rules } = await w.options();
    expect([refusal, rules.map(({ name, met }) => [name, met])]).toEqual([null, [['', false]]]);
    await w.approve(w.key.get(options));
    const asked = ['members.isCollaborator', 'pullChanges.files', 'members.loginOf'];
    expect(w.stage.calls.filter((call) => asked.includes(call))).toEqual([]);
    for (const once of ['members.role', 'members.permission'])
      expect(w.stage.calls.filter((call) => call === once)).toHaveLength(2);
  });
});

describe('the answer of an approval', () => {
  const two = { name: 'two eyes', require: { approvals: 2 } };

  it('says how many more are needed, who can give them and who approved, and never that the check passed', async () => {
    const w = await world();
    w.policies.policy = aPolicy([two]);
    const needs = '1 more approval needed, from a member; mona approved so far.';
    expect(await w.give()).toMatchObject({ reported: true, passed: false, needs });
    expect(w.checkRuns.shown(HEAD)?.content.status).toBe('in_progress');
    expect(await w.options()).toMatchObject({ passed: false, needs, yourApproval: { method: 'passkey' } });
  });

  it('passes with the last approval, even if another person’s arrives while it is stored', async () => {
    const w = await world();
    w.policies.policy = aPolicy([two]);
    w.stage.gate = async (call) => {
      if (call !== 'approvals.add') return;
      w.stage.gate = async () => undefined;
      w.members.set(9, 12, 'member');
      w.approvals.put(anApproval({ githubId: 12, login: 'hubot' }));
    };
    expect(await w.give()).toMatchObject({ reported: true, passed: true, needs: null });
    expect(await w.options()).toMatchObject({ passed: true, needs: null });
  });

  it('names each rule’s lack once, and those who approved at the end', async () => {
    const w = await world();
    w.policies.policy = aPolicy([two, { name: 'owners', require: { from: ['owners', '@octo-org/sec'] } }]);
    expect((await w.give()).needs).toBe(
      '1 more approval needed, from a member; 1 more approval needed, from an owner or @octo-org/sec; mona approved so far.',
    );
  });

  it('names the other pull requests for which the check waits', async () => {
    const w = await world();
    w.pulls.all = [aPull(), aPull({ number: 8, base: 'release' })];
    const needs = "The check waits for #8 too, which has the same commit and isn't approved yet.";
    expect(await w.give()).toMatchObject({ reported: true, passed: false, needs });
    await Promise.all(w.unfinished);
    expect(await w.options()).toMatchObject({ passed: true, needs });
    w.pulls.all.push(aPull({ number: 9, base: 'next' }));
    expect((await w.give()).needs).toMatch(/^The check waits for #8 and #9 too, which have .* aren't/);
  });

  it('has the verdict that GitHub would show if GitHub can’t be updated, and no verdict without a judgement', async () => {
    for (const [rules, verdict] of [
      [[], { passed: true, needs: null }],
      [[two], { passed: false, needs: '1 more approval needed, from a member; mona approved so far.' }],
    ] as const) {
      const w = await world();
      w.policies.policy = aPolicy([...rules]);
      const { options } = await w.options();
      w.stage.fail('checkRuns.create', 'githubUnavailable');
      expect(await w.approve(w.key.get(options))).toMatchObject({ reported: false, ...verdict });
    }
    const w = await world();
    const { options } = await w.options();
    w.stage.gate = async (call) => {
      if (call !== 'approvals.add') return;
      w.clock.pass(6_000);
      w.stage.fail('pullRequests.listOpen', 'githubUnavailable');
    };
    const needs = "OTP Guard can't tell yet what else the check needs.";
    expect(await w.approve(w.key.get(options))).toMatchObject({ reported: false, passed: false, needs });
  });
});

describe('an outside collaborator', () => {
  const frank = { userId: 'mona', githubId: 11, login: 'mona', avatarUrl: '' };
  const outside = async (rules: object[]) => {
    const w = await world();
    w.members.roles.clear();
    w.members.collaborators.add(frank.githubId);
    w.members.writers.add(frank.githubId);
    w.policies.policy = aPolicy(rules);
    return w;
  };
  const NAMED = [{ when: { repositories: ['hel*'] }, require: { from: ['collaborators'] } }];

  it('approves if a rule names them, and never as a member', async () => {
    const w = await outside(NAMED);
    await w.give();
    expect(w.checkRuns.shown(HEAD)?.content.status).toBe('completed');
    expect(w.approvals.stored).toMatchObject([{ fromOutside: true }]);
    w.policies.policy = aPolicy([]);
    await syncCheckRun(w, HEAD_REF);
    expect(w.checkRuns.shown(HEAD)?.content.status).toBe('in_progress');
  });

  it.each<[string, object[], (w: World) => void]>([
    ['no rule names them', [], () => undefined],
    ['the rule is only reported', NAMED.map((rule) => ({ ...rule, enforced: false })), () => undefined],
    [
      'the rule is about another repository',
      [{ ...NAMED[0], when: { repositories: ['x'] } }],
      () => undefined,
    ],
    ['GitHub says they aren’t one', NAMED, (w) => w.members.collaborators.clear()],
  ])('is a stranger if %s', async (_what, rules, change) => {
    const w = await outside(rules);
    change(w);
    expect(await codeOf(w.options())).toBe('notMember');
    w.members.expected = false;
    expect(await codeOf(w.options())).toBe('notMember');
  });

  it('can’t approve where the rule doesn’t apply, or with less permission than writing', async () => {
    const w = await outside([{ when: { branches: ['next'] }, require: { from: ['collaborators'] } }]);
    expect((await w.options()).refusal).toMatch(/needs an approval from a member/);
    expect(await codeOf(w.give())).toBe('wouldNotCount');
    w.policies.policy = aPolicy(NAMED);
    w.members.writers.clear();
    w.members.readers.add(frank.githubId);
    expect(await codeOf(w.give())).toBe('wouldNotCount');
  });

  it('may have an authenticator if they are one in a repository of the rule', async () => {
    const w = await outside(NAMED);
    w.installations.all[0]?.repositories.push(aRepository({ id: 41, name: 'world' }), aRepository());
    const org = (await w.organizations.byOrgId(9)) as Organization;
    const isWelcome = () => isWelcomeSomewhere(w, frank, org);
    expect(await isWelcome()).toBe(true);
    expect(w.stage.calls.filter((call) => call === 'members.isCollaborator')).toHaveLength(1);
    w.members.collaborators.clear();
    expect(await isWelcome()).toBe(false);
    w.members.collaborators.add(frank.githubId);
    w.policies.policy = aPolicy([]);
    expect(await isWelcome()).toBe(false);
  });

  it('is looked for in ten repositories that may be named if all take too long to match', async () => {
    const w = await outside([]);
    const repositories = Array(100).fill(`*${'a'.repeat(60)}b*c`);
    w.policies.policy = aPolicy([{ when: { repositories }, require: { from: ['collaborators'] } }]);
    w.members.collaborators.clear();
    const org = (await w.organizations.byOrgId(9)) as Organization;
    const asked = async (count: number) => {
      w.stage.calls.splice(0);
      const name = (at: number) => `${at}`.padStart(100, 'a');
      const all = Array.from({ length: count }, (_, at) => aRepository({ id: 100 + at, name: name(at) }));
      w.installations.all[0]?.repositories.splice(0, Number.POSITIVE_INFINITY, ...all);
      expect(await isWelcomeSomewhere(w, frank, org)).toBe(false);
      return w.stage.calls.filter((call) => call === 'members.isCollaborator').length;
    };
    expect([await asked(50), await asked(300)]).toEqual([0, 10]);
  });
});

describe('a newcomer', () => {
  it('reads before a registration that the code by e-mail that it needs can’t be sent', async () => {
    const w = await world();
    w.policies.policy = aPolicy([], { enrolment: { mode: 'email', domains: ['example.org'] } });
    w.credentials.stored.splice(0);
    const shown = () => approvalOptions(w, { person: mona, target, method: 'show' });
    expect((await shown()).refusal).toMatch(/needs a code by e-mail\. This server doesn't send e-mail/);
    w.policies.policy = aPolicy([]);
    expect((await shown()).refusal).toBeNull();
  });

  it('reads in a browser that can only do codes that codes can’t be the first, or don’t count', async () => {
    const w = await world();
    w.credentials.stored.splice(0);
    const inCodes = async () =>
      (await approvalOptions(w, { person: mona, target, method: 'show-code' })).refusal;
    expect(await inCodes()).toBeNull();
    w.policies.policy = aPolicy([], { enrolment: { mode: 'vouched', vouchers: 'owners' } });
    expect(await inCodes()).toMatch(/^Register a passkey or security key first\./);
    w.policies.policy = aPolicy([], { assurance: { methods: ['passkey'] } });
    expect(await inCodes()).not.toBeNull();
  });
});

describe('the check run of an approval that was just stored', () => {
  it('is judged by the policy of the repository’s new owner if it was transferred in between', async () => {
    const w = await world();
    const owners: number[] = [];
    const { inForce } = w.policies;
    w.policies.inForce = (ownerId: number) => {
      owners.push(ownerId);
      return inForce.call(w.policies, ownerId);
    };
    const pulls = [aPull({ number: 8, head: OTHER })];
    w.pulls.all = [aPull({ repo: { ...aPull().repo, ownerId: 10 } })];
    const judged = await judgeHead(w, HEAD_REF, { pulls, expected: [{ pr: 7 }] });
    expect([judged?.verdict.pulls[0]?.pull.repo.ownerId, owners.at(-1)]).toEqual([10, 10]);
  });
});

describe('an approval at the same moment', () => {
  const BY_OCTOCAT = anApproval({ githubId: 12, login: 'octocat' });
  const give = (w: World) => void w.approvals.put(BY_OCTOCAT);
  const takeBack = (w: World) => void Object.assign(w.approvals.stored[0] ?? {}, { withdrawn: 'unreported' });
  const askForTwo = (w: World) => {
    w.policies.policy = aPolicy([{ require: { approvals: 2 } }]);
  };

  beforeEach(fakeTimers);
  afterEach(() => void jest.useRealTimers());

  it.each([
    ['counts with another one that is given then', 2, give, 'completed'],
    ['doesn’t count with another one that is taken back then', 2, takeBack, 'in_progress'],
    ['takes the place of another one that is taken back then', 1, takeBack, 'completed'],
    ['isn’t enough for a policy that asks for two from then on', 1, askForTwo, 'in_progress'],
  ] as const)('%s', async (_name, approvals, act, status) => {
    for (let seed = 0; seed < (process.env.SOAK ? 400 : 60); seed += 1) {
      const w = await world();
      if (approvals > 1) w.policies.policy = aPolicy([{ require: { approvals } }]);
      w.members.set(9, BY_OCTOCAT.githubId, 'member');
      const sync = () => syncCheckRun(w, HEAD_REF);
      if (act === takeBack) give(w);
      await sync();
      const { options } = await w.options();
      const change = async () => {
        await w.stage.play('changes', () => act(w));
        await sync();
      };
      const random = seeded(seed);
      const approve = () => w.approve(w.key.get(options));
      await interleave(w.stage, [approve, change], (count) => Math.floor(random() * count));
      // The look after the write ends after the answer.
      for (let step = 0; step < 100; step += 1) await setImmediate();
      expect([seed, w.checkRuns.shown(HEAD)?.content.status]).toEqual([seed, status]);
    }
  });
});
