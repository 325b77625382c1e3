import { describe, expect, it } from '@jest/globals';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import {
  makeBatchStatement,
  makeStatement,
  statementChallenge,
} from '../../../src/approvals/approve/make-statement.ts';
import {
  createOnlyVerified,
  verifyStoredApproval,
  verifyStoredDenial,
} from '../../../src/approvals/judge/verify-stored-approval.ts';
import type { StoredApproval, StoredDenial } from '../../../src/approvals/ports.ts';
import type { DenyStatement } from '../../../src/contract/statement.ts';
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
    ...{ userVerified: true, at: new Date(), reported: true, mac: 'valid', statement },
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
    expect(await verifyStoredDenial(denial)).toBe(isValid);
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
    expect(await verifyStoredApproval(approval)).toBe(isValid);
  });

  it('isn’t a denial even if it claims to be one, nor the other way round', async () => {
    const denial = { ...signed(), reason: 'drops a table' };
    expect(await verifyStoredDenial(denial)).toBe(false);
    const { reason: _, ...approval } = denied();
    expect(await verifyStoredApproval(approval)).toBe(false);
  });

  it('counts for nothing and is reported if it isn’t valid', async () => {
    const reported: string[] = [];
    const onlyVerified = createOnlyVerified(({ id }) => void reported.push(id));
    const valid = signed();
    expect(await onlyVerified([valid, signed({}, { id: 'forged', pr: 8 })])).toEqual([valid]);
    expect(reported).toEqual(['forged']);
  });
});
