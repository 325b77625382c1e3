import { describe, expect, it } from '@jest/globals';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import {
  makeBatchStatement,
  makeStatement,
  statementChallenge,
} from '../../../src/approvals/approve/make-statement.ts';
import {
  createOnlyVerified,
  createVerifiedApprovals,
  verifyStored,
} from '../../../src/approvals/judge/verify-stored-approval.ts';
import type {
  NewGiven,
  StoredApproval,
  StoredApprovals,
  StoredDecision,
  StoredDenial,
} from '../../../src/approvals/ports.ts';
import type { DenyStatement, DeployStatement, RejectStatement } from '../../../src/contract/statement.ts';
import { SoftwareAuthenticator, type Twist, UP } from '../../support/authenticator.ts';
import { aPull, FakeClock } from '../../support/fakes.ts';

const ORIGIN = 'https://guard.example.org';
const key = new SoftwareAuthenticator(ORIGIN);
const pull = aPull();
const deps = {
  origins: { publicUrl: ORIGIN },
  clock: new FakeClock(),
  random: (n: number) => new Uint8Array(n),
};
const person = { githubId: 11, login: 'mona' };
const statement = makeStatement(deps, { person, org: { orgId: pull.repo.ownerId, name: 'octo-org' }, pull });

function signed(twist: Twist = {}, change: Partial<StoredApproval> = {}): StoredApproval {
  const assertion = key.get(
    { challenge: statementChallenge(statement) },
    twist,
  ) as AuthenticationResponseJSON;
  return {
    ...{ id: 'approval', orgId: pull.repo.ownerId, repoId: pull.repo.id, pr: pull.number },
    ...{ base: pull.base, head: pull.head, githubId: 11, login: 'mona', method: 'passkey' },
    ...{ deviceBound: true, aaguid: '', modelVerified: false, fromOutside: false },
    ...{ userVerified: true, at: new Date(), reported: true, statement },
    proof: { assertion, publicKey: key.publicKey },
    ...change,
  };
}

const batch = makeBatchStatement(deps, {
  person,
  org: { orgId: pull.repo.ownerId, name: 'octo-org' },
  statements: [statement, { ...statement, pr: 8 }],
});
/** A batch of several commits: the signed statement, and the stored part of it. */
function inBatch(change: Partial<typeof batch> = {}, stored: object | undefined = { ...batch, ...change }) {
  const challenge = statementChallenge({ ...batch, ...change });
  const assertion = key.get({ challenge }) as AuthenticationResponseJSON;
  return signed({}, { proof: { assertion, publicKey: key.publicKey, batch: stored as typeof batch } });
}

const denyStatement: DenyStatement = {
  ...{ v: 1, purpose: 'deny', host: ORIGIN, user: statement.user, org: statement.org, repo: statement.repo },
  ...{ pr: pull.number, base: pull.base, head: pull.head, nonce: 'n', iat: statement.iat },
  reasonSha256: 'x'.repeat(43),
};

function denied(twist: Twist = {}, change: Partial<StoredDenial> = {}): StoredDenial {
  const assertion = key.get({ challenge: statementChallenge(denyStatement) }, twist);
  const { reason: _, ...given } = signed();
  return {
    ...{ ...given, statement: denyStatement, reason: 'drops a table' },
    proof: { assertion: assertion as AuthenticationResponseJSON, publicKey: key.publicKey },
    ...change,
  };
}

const deployStatement: DeployStatement = {
  ...{
    v: 1,
    purpose: 'deploy',
    host: ORIGIN,
    user: statement.user,
    org: statement.org,
    repo: statement.repo,
  },
  ...{ environment: 'release', run: 77, attempt: 1, head: pull.head, ref: pull.base, event: 'push' },
  ...{ workflow: '.github/workflows/release.yml', nonce: 'n', iat: statement.iat },
};
const { purpose: _, ...parts } = deployStatement;
const rejectStatement: RejectStatement = { ...parts, purpose: 'reject', reasonSha256: 'x'.repeat(43) };

/** A decision over this statement, which its key signed, with what the store has instead. */
function decided(
  stored: Partial<StoredDecision> = {},
  over: DeployStatement | RejectStatement = deployStatement,
) {
  const { reason: _, run: __, ...given } = signed();
  const { run, attempt, environment, event, workflow } = over;
  const response = key.get({ challenge: statementChallenge(over) }) as AuthenticationResponseJSON;
  const decision: StoredDecision = {
    ...{ ...given, run, attempt, environment, event, workflow, pr: 0, reason: '', statement: over },
    decision: over.purpose === 'deploy' ? 'approve' : 'reject',
    proof: { assertion: response, publicKey: key.publicKey },
  };
  return { ...decision, ...stored };
}

describe('a stored decision about a deployment', () => {
  const TEXTS = { head: 'cd'.repeat(20), ref: 'release', environment: 'staging', event: 'schedule' };
  const OTHER = {
    ...TEXTS,
    workflow: 'other.yml',
    run: 78,
    attempt: 2,
    nonce: 'm',
    iat: 1,
    host: 'https://x.y',
  };
  const ACCOUNT = { id: 1, login: 'other' };
  const MEMBERS = { ...OTHER, user: ACCOUNT, org: ACCOUNT, repo: { id: 1, name: 'o/r' } };

  it.each<[what: string, decision: StoredDecision, isValid: boolean]>([
    ['that approves', decided(), true],
    ['that rejects', decided({}, rejectStatement), true],
    [
      'that rejects, and whose reason was changed in the store',
      decided({ reason: '' }, rejectStatement),
      true,
    ],
    ['with a code', decided({ method: 'totp', proof: null, userVerified: false }), true],
    ['of another organization', decided({ orgId: 1 }), false],
    ['of another repository', decided({ repoId: 1 }), false],
    ['of another person', decided({ githubId: 12 }), false],
    ['of another commit', decided({ head: OTHER.head }), false],
    ['for another branch', decided({ base: 'release' }), false],
    ['of another run', decided({ run: 78 }), false],
    ['of another attempt', decided({ attempt: 2 }), false],
    ['of another environment', decided({ environment: 'staging' }), false],
    ['of the environment in other capitals', decided({ environment: 'Release' }), false],
    ['of a pull request', decided({ pr: 7 }), false],
    ['that claims the other decision', decided({ decision: 'reject' }), false],
    ['that claims an approval', decided({ decision: 'approve' }, rejectStatement), false],
    ['that claims no verified person', decided({ userVerified: false }), false],
    ['without a proof', decided({ proof: null }), false],
    ['without a statement', decided({ statement: null }), false],
    ['with the proof of an approval', decided({ proof: signed().proof }), false],
    ['with the proof of a denial', decided({ proof: denied().proof }), false],
    ['in a batch', decided({ proof: inBatch().proof }), false],
    ['with a code and a proof', decided({ method: 'totp', userVerified: false }), false],
  ])('%s', async (_what, decision, isValid) => {
    expect(await verifyStored(decision)).toBe(isValid);
  });

  it('isn’t valid with any other member in its statement, even if the record says the same', async () => {
    for (const over of [deployStatement, rejectStatement]) {
      const { proof } = decided({}, over);
      for (const [name, value] of Object.entries(MEMBERS)) {
        const changed = { ...over, [name]: value };
        const { user, org, repo, ref } = changed;
        const ids = { githubId: user.id, orgId: org.id, repoId: repo.id, base: ref, head: changed.head };
        expect([name, await verifyStored(decided({ ...ids, proof }, changed))]).toEqual([name, false]);
      }
    }
    const signedMembers = Object.keys(deployStatement).filter((name) => !['v', 'purpose'].includes(name));
    expect(Object.keys(MEMBERS).sort()).toEqual(signedMembers.sort());
    const another = { ...rejectStatement, reasonSha256: 'y'.repeat(43) };
    expect(await verifyStored(decided({ proof: decided({}, rejectStatement).proof }, another))).toBe(false);
  });

  it('isn’t an approval or a denial even if it claims to be one', async () => {
    for (const over of [deployStatement, rejectStatement]) {
      const { run: _, reason: __, ...given } = decided({}, over);
      const claims = { ...given, ...{ statement: { ...over, pr: 7, base: 'main' } }, pr: 7, base: 'main' };
      expect(await verifyStored(claims)).toBe(false);
      expect(await verifyStored({ ...claims, statement: { ...claims.statement, purpose: 'approve' } })).toBe(
        false,
      );
      expect(await verifyStored({ ...claims, reason: 'drops a table' })).toBe(false);
    }
  });

  it('counts for nothing and is reported if it isn’t valid', async () => {
    const reported: string[] = [];
    const onlyVerified = createOnlyVerified(({ id }) => void reported.push(id));
    const valid = decided();
    expect(await onlyVerified([valid, decided({ id: 'forged', run: 78 })])).toEqual([valid]);
    expect(reported).toEqual(['forged']);
  });
});

describe('a stored denial', () => {
  it.each<[what: string, denial: StoredDenial, isValid: boolean]>([
    ['that its key signed', denied(), true],
    ['with a code', denied({}, { method: 'totp', proof: null, userVerified: false }), true],
    ['whose reason was changed in the store', denied({}, { reason: '' }), true],
    ['of another head', denied({}, { head: 'cd'.repeat(20) }), false],
    ['of another repository', denied({}, { repoId: 1 }), false],
    ['of another person', denied({}, { githubId: 12 }), false],
    ['with another statement', denied({}, { statement: { ...denyStatement, nonce: 'm' } }), false],
    ['with a broken signature', denied({ breakSignature: true }), false],
    ['without a proof', denied({}, { proof: null }), false],
    ['in a batch', denied({}, { proof: inBatch().proof }), false],
  ])('%s', async (_what, denial, isValid) => {
    expect(await verifyStored(denial)).toBe(isValid);
  });
});

describe('a stored approval', () => {
  it.each<[what: string, approval: StoredApproval, isValid: boolean]>([
    ['that its key signed', signed(), true],
    ['without a verified person, if it says so', signed({ flags: UP }, { userVerified: false }), true],
    ['with a code', signed({}, { method: 'totp', proof: null, userVerified: false }), true],
    ['that its key signed with another one', inBatch(), true],
    ['of a batch that was changed', inBatch({}, { ...batch, iat: 1 }), false],
    ['of a batch without it', inBatch({ approvals: batch.approvals.slice(1) }), false],
    ['of somebody else’s batch', inBatch({ user: { id: 12, login: 'mona' } }), false],
    ['of another organization’s batch', inBatch({ org: { id: 1, login: 'octo-org' } }), false],
    ['that claims a verified person', signed({ flags: UP }), false],
    ['of another repository', signed({}, { repoId: 1 }), false],
    ['of another organization', signed({}, { orgId: 1 }), false],
    ['of another pull request', signed({}, { pr: 1 }), false],
    ['of another head', signed({}, { head: 'cd'.repeat(20) }), false],
    ['of another base', signed({}, { base: 'release' }), false],
    ['of another person', signed({}, { githubId: 12 }), false],
    ['with another statement', signed({}, { statement: { ...statement, nonce: 'other' } }), false],
    ['of another origin', signed({ origin: 'https://evil.example' }), false],
    ['for another relying party', signed({ rpId: 'evil.example' }), false],
    ['from a frame', signed({ crossOrigin: true }), false],
    ['with a broken signature', signed({ breakSignature: true }), false],
    ['without a proof', signed({}, { proof: null }), false],
    ['with a code and a proof', signed({}, { method: 'totp', userVerified: false }), false],
    ['without a statement', signed({}, { statement: null }), false],
  ])('%s', async (_what, approval, isValid) => {
    expect(await verifyStored(approval)).toBe(isValid);
  });

  it('isn’t a denial even if it claims to be one, nor the other way round', async () => {
    const denial = { ...signed(), reason: 'drops a table' };
    expect(await verifyStored(denial)).toBe(false);
    const { reason: _, ...approval } = denied();
    expect(await verifyStored(approval)).toBe(false);
  });

  it('counts for nothing and is reported if it isn’t valid', async () => {
    const reported: string[] = [];
    const onlyVerified = createOnlyVerified(({ id }) => void reported.push(id));
    const valid = signed();
    expect(await onlyVerified([valid, signed({}, { id: 'forged', pr: 8 })])).toEqual([valid]);
    expect(reported).toEqual(['forged']);
  });
});

it.each([
  ['verifies counts', key.publicKey, 'approval'],
  ['another key would have made doesn’t count', new SoftwareAuthenticator(ORIGIN).publicKey, undefined],
])('a new approval whose signature %s', async (_what, publicKey, id) => {
  const stored = { add: async () => ({ id: 'approval' }) } as unknown as StoredApprovals;
  const { add } = createVerifiedApprovals(stored, async () => []);
  const { proof, ...given } = signed();
  const all = { ...given, proof: proof && { ...proof, publicKey } } as unknown as NewGiven;
  expect((await add(all, { activity: {} as never, notices: [] }))?.id).toBe(id);
});
