import { describe, expect, it } from '@jest/globals';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { batchOptions } from '../../../src/approvals/approve/batch-options.ts';
import { deny, denyOptions } from '../../../src/approvals/deny/deny.ts';
import { retryUnreported } from '../../../src/approvals/reconcile/retry-unreported.ts';
import { withdrawApproval } from '../../../src/approvals/withdraw/withdraw-approval.ts';
import { loggedCredential } from '../../../src/authenticators/logged-credential.ts';
import { sha256Base64url, sha256OfJson } from '../../../src/shared/crypto.ts';
import { CodeApp } from '../../support/authenticator.ts';
import { codeOf } from '../../support/code-of.ts';
import { anApproval, aPull, aTotpApp, HEAD } from '../../support/fakes.ts';
import { aPolicy } from '../../support/policies.ts';
import { world as approvalWorld, mona, target } from './approval-world.ts';
import { OTHER } from './world.ts';

const REASON = 'It drops a table — “users”.';
const AUTHOR = { id: 2, login: 'author', avatarUrl: '', isMachine: false };
const MONA = { id: 11, login: 'mona' };

/** Mona, who may deny the pull request of another person. */
async function world() {
  const w = await approvalWorld();
  w.pulls.all = [aPull({ author: AUTHOR })];
  const signed = async (reason = REASON) => {
    const { options, statement } = await denyOptions(w, { person: mona, target, reason });
    return { statement, response: w.key.get(options) as AuthenticationResponseJSON };
  };
  const send = (response: AuthenticationResponseJSON, reason = REASON, of = target) =>
    deny(w, { person: mona, target: of, reason, proof: { response } });
  const giveCode = () => {
    const app = aTotpApp({ orgRecordId: w.organizations.stored[0]?.id ?? '' });
    w.totpApps.stored.push(app);
    return new CodeApp(app.secret).codeAt(w.clock.now().getTime());
  };
  return {
    ...w,
    signed,
    send,
    giveCode,
    deny: async () => send((await signed()).response),
    withdraw: () => withdrawApproval(w, { person: mona, target }),
    conclusion: () => w.checkRuns.shown(HEAD)?.content.conclusion,
  };
}

type World = Awaited<ReturnType<typeof world>>;

const stored = (w: World) =>
  w.approvals.stored.map(({ head, reason, withdrawn }) => [head, reason, withdrawn]);

describe('a denial with a passkey or security key', () => {
  it('stores the reason with what was signed, says no on GitHub, logs it and writes to the author', async () => {
    const w = await world();
    await w.give();
    await w.withdraw();
    w.users.profiles.set('author', AUTHOR as never);
    w.members.readers.add(AUTHOR.id);
    const { statement, response } = await w.signed();
    expect(statement).toMatchObject({
      purpose: 'deny',
      pr: 7,
      head: HEAD,
      reasonSha256: sha256Base64url(REASON),
    });
    w.stage.calls.splice(0);
    const redirect = 'https://github.com/octo-org/hello/pull/7';
    expect(await w.send(response)).toEqual({ redirect, reported: true });
    expect(w.approvals.stored.at(-1)?.of).toMatchObject({
      statement,
      reason: REASON,
      proof: { assertion: response, publicKey: w.key.publicKey },
      user: { id: 11, recordId: 'mona', login: 'mona' },
    });
    expect(w.conclusion()).toBe('action_required');
    const label = 'hello#7';
    expect(w.approvals.denied).toEqual([
      {
        activity: {
          activity: 'webauthnDeny',
          userId: 'mona',
          orgRecordId: w.organizations.stored[0]?.id,
          data: expect.objectContaining({ type: 'passkey', user: 'mona', sha: HEAD, pr: 7, reason: REASON }),
          facts: { repoId: 42, userVerified: true, aaguid: '', modelVerified: false },
          personFacts: {
            by: MONA,
            holder: MONA,
            credential: loggedCredential({ keyId: response.id, publicKey: w.key.publicKey }),
            proofSha256: sha256OfJson({ statement, assertion: response, publicKey: w.key.publicKey }),
          },
        },
        notices: [
          {
            kind: 'pullDenied',
            userId: 'author',
            data: { org: 'octo-org', by: 'mona', label, reason: REASON },
          },
        ],
      },
    ]);
    const { calls } = w.stage;
    expect(calls.indexOf('challenges.consume')).toBeLessThan(calls.indexOf('credentials.recordUse'));
    expect(calls.indexOf('approvals.add')).toBeLessThan(calls.indexOf('checkRuns.create'));
  });

  it('writes to no author who can no longer read the repository', async () => {
    const w = await world();
    w.users.profiles.set('author', AUTHOR as never);
    await w.deny();
    expect(w.approvals.denied.map(({ notices }) => notices)).toEqual([[]]);
  });

  it.each<
    [what: string, code: string, change: (w: World) => unknown, sent?: { reason?: string; head?: string }]
  >([
    ['with another reason', 'otherReason', () => null, { reason: `${REASON} ` }],
    [
      'for another head',
      'headMoved',
      (w) => (w.pulls.all = [aPull({ author: AUTHOR, head: OTHER })]),
      { head: OTHER },
    ],
    [
      'for a head that was replaced',
      'headMoved',
      (w) => (w.pulls.all = [aPull({ author: AUTHOR, head: OTHER })]),
    ],
    [
      'by an approval that wouldn’t count',
      'wouldNotCount',
      (w) => {
        w.policies.policy = aPolicy([{ name: 'owners', require: { from: ['owners'] } }]);
      },
    ],
    ['during an outage', 'githubUnavailable', (w) => w.stage.fail('pullRequests.get', 'githubUnavailable')],
    ['by somebody who left', 'notMember', (w) => w.members.roles.clear()],
  ])('is refused %s, and uses nothing up', async (_what, code, change, sent = {}) => {
    const w = await world();
    const { response } = await w.signed();
    change(w);
    const { reason = REASON, head = HEAD } = sent;
    expect(await codeOf(w.send(response, reason, { ...target, head }))).toBe(code);
    expect([w.challenges.consumed.size, stored(w)]).toEqual([0, []]);
  });

  it('isn’t an approval, and no approval is a denial', async () => {
    const w = await world();
    const { response } = await w.signed();
    expect(await codeOf(w.approve(response))).toBe('challengeUnknown');
    const { options } = await w.options();
    expect(await codeOf(w.send(w.key.get(options) as AuthenticationResponseJSON))).toBe('challengeUnknown');
    expect([w.challenges.consumed.size, stored(w)]).toEqual([0, []]);
  });

  it('is given once, and its person can’t approve until they withdraw it, which takes no authenticator', async () => {
    const w = await world();
    const { options } = await w.options();
    const approval = w.key.get(options);
    const { response } = await w.signed();
    const { response: second } = await w.signed();
    expect((await w.send(response)).reported).toBe(true);
    expect(await codeOf(w.send(response))).toBe('alreadyDenied');
    expect(await codeOf(w.send(second))).toBe('alreadyDenied');
    expect(await codeOf(w.signed())).toBe('alreadyDenied');
    expect(await codeOf(w.approve(approval))).toBe('alreadyDenied');
    const { refusal, denials, passed, needs } = await w.options();
    expect([refusal, passed, needs]).toEqual([
      'You denied this commit. Withdraw your denial first.',
      false,
      `mona denied this commit: ${REASON}`,
    ]);
    expect(denials).toMatchObject([{ login: 'mona', method: 'passkey', reason: REASON, isYours: true }]);
    expect(await w.withdraw()).toEqual({ reported: true });
    expect(w.approvals.withdrawals).toMatchObject([
      {
        activity: { activity: 'approvalWithdraw', data: { denies: true } },
        notices: [{ kind: 'approvalWithdrawn', data: { denies: true } }],
      },
    ]);
    expect(await codeOf(w.send(response))).toBe('challengeUsed');
    expect((await w.approve(w.key.get(options))).passed).toBe(true);
  });

  it('says of two at the same moment which one isn’t stored', async () => {
    const w = await world();
    const { response } = await w.signed();
    const { response: other } = await w.signed('Another reason.');
    const refusals = await Promise.allSettled([w.send(response), w.send(other, 'Another reason.')]);
    const first = refusals.findIndex(({ status }) => status === 'fulfilled');
    expect(refusals.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(stored(w)).toEqual([[HEAD, [REASON, 'Another reason.'][first], undefined]]);
  });

  it('keeps a head from passing that others approve, until it’s withdrawn', async () => {
    const w = await world();
    await w.deny();
    w.approvals.put(anApproval({ githubId: 12, login: 'octocat' }));
    expect((await w.options()).passed).toBe(false);
    await w.withdraw();
    expect(w.conclusion()).toBe('success');
  });

  it('takes back what its person approved, when they withdraw it', async () => {
    const w = await world();
    await w.give();
    await w.deny();
    await w.withdraw();
    expect([w.conclusion(), stored(w).map(([, , withdrawn]) => withdrawn)]).toEqual([
      undefined,
      ['reported', 'reported'],
    ]);
    // The denial is the one that the e-mail is about.
    expect(w.approvals.withdrawals.map(({ notices }) => notices.map(({ data }) => data.denies))).toEqual([
      [true],
      [],
    ]);
  });

  it('stays stored if GitHub can’t be updated, and is shown by the next retry', async () => {
    const w = await world();
    const { response } = await w.signed();
    w.stage.fail('checkRuns.create', 'githubUnavailable');
    expect((await w.send(response)).reported).toBe(false);
    expect([w.delayed.length, w.conclusion()]).toEqual([1, undefined]);
    await retryUnreported(w, new Map());
    expect(w.conclusion()).toBe('action_required');
  });

  it('leaves the head out of a batch, with the reason', async () => {
    const w = await world();
    await w.deny();
    w.pulls.all?.push(aPull({ number: 8, head: OTHER, author: AUTHOR }));
    const targets = [target, { ...target, pr: 8, head: OTHER }];
    const { items } = await batchOptions(w, { person: mona, orgID: 9, targets });
    expect(items).toMatchObject([
      { pr: 7, why: `mona denied this commit: ${REASON}` },
      { target: { pr: 8 } },
    ]);
  });
});

describe('a denial with a one-time code', () => {
  it('is stored without a proof, once for each code', async () => {
    const w = await world();
    const code = w.giveCode();
    const { statement } = await denyOptions(w, { person: mona, target, reason: REASON, method: 'totp' });
    expect([statement.purpose, w.challenges.stored]).toEqual(['deny', []]);
    const send = () => deny(w, { person: mona, target, reason: REASON, proof: { code } });
    expect((await send()).reported).toBe(true);
    expect(w.approvals.stored.at(-1)?.of).toMatchObject({ method: 'totp', proof: null, reason: REASON });
    expect(w.approvals.activities.map(({ activity }) => activity)).toEqual(['totpDeny']);
    await w.withdraw();
    expect(await codeOf(send())).toBe('usedCode');
  });

  it('is refused before the code is used up, to a person whose codes don’t count', async () => {
    const w = await world();
    const code = w.giveCode();
    w.policies.policy = aPolicy([], { assurance: { methods: ['passkey'] } });
    const send = () => deny(w, { person: mona, target, reason: REASON, proof: { code } });
    expect([await codeOf(send()), stored(w)]).toEqual(['wouldNotCount', []]);
    w.policies.policy = aPolicy([]);
    expect((await send()).reported).toBe(true);
  });
});

describe('who may set denials aside', () => {
  it.each([
    ['member', false],
    ['admin', true],
  ] as const)('isn’t asked about by a %s’s page in vain: %s', async (role, maySetAside) => {
    const w = await world();
    w.members.set(9, mona.githubId, role);
    expect((await w.options()).maySetAside).toBe(maySetAside);
  });
});
