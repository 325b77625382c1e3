import { randomBytes } from 'node:crypto';
import type { ReceiptPredicate, ReceiptStatement } from '../../src/contract/receipts.ts';
import type { Statement, VouchStatement } from '../../src/contract/statement.ts';
import { sha256Base64url, sha256OfJson } from '../../src/sha256.ts';
import { SoftwareAuthenticator } from './authenticator.ts';
import { HOST, ORG, type TestLog } from './test-log.ts';

type Account = { id: number; login: string };
type Signed = { assertion: NonNullable<ReceiptPredicate['assertion']>; publicKey: string };

export const MONA = { id: 11, login: 'mona' };
const OCTOCAT = { id: 12, login: 'octocat' };
const HEAD = 'ab'.repeat(20);
export const VERDICT = {
  passed: true,
  policyNumber: 3,
  policySha256: sha256Base64url('policy'),
  rules: [{ name: 'two owners', enforced: true, met: true, missing: '', by: ['mona'] }],
};

const credentialOf = (key: SoftwareAuthenticator) => ({
  idSha256: sha256Base64url(key.id),
  publicKeySha256: sha256Base64url(Buffer.from(key.publicKey, 'base64url')),
});
const nonce = () => randomBytes(16).toString('base64url');
const sign = (key: SoftwareAuthenticator, statement: object, flags = 5): Signed => ({
  assertion: key.get(
    { challenge: sha256OfJson(statement) },
    { flags, userHandle: 'aGFuZGxl' },
  ) as Signed['assertion'],
  publicKey: key.publicKey,
});

/** Octocat's own first key, then their further one, which vouched for mona's; mona approved with that. */
export function addApproval(log: TestLog, others: () => void = () => undefined): () => ReceiptStatement {
  const [first, further, own] = [1, 2, 3].map(() => new SoftwareAuthenticator(HOST)) as [
    SoftwareAuthenticator,
    SoftwareAuthenticator,
    SoftwareAuthenticator,
  ];
  const register = (
    activity: string,
    key: SoftwareAuthenticator,
    holder: Account,
    more: object,
    enrolled?: string,
  ) =>
    log.add(activity, enrolled === undefined ? {} : { enrolled }, {
      event: { aaguid: '', modelVerified: false },
      person: { by: holder, holder, credential: credentialOf(key), ...more },
    });
  const registrations = [
    register('webauthnRegister', first, OCTOCAT, {}, 'open'),
    register(
      'webauthnRegister',
      further,
      OCTOCAT,
      { confirmedBy: credentialOf(first).publicKeySha256 },
      'open',
    ),
    register('webauthnPending', own, MONA, {}),
  ] as const;
  const vouched: VouchStatement = {
    ...{ v: 1, purpose: 'vouch', host: HOST, org: ORG, user: OCTOCAT, nonce: nonce(), iat: 1_795_000_000 },
    credential: { id: own.id, publicKeySha256: credentialOf(own).publicKeySha256, holder: MONA },
  };
  const vouch = { statement: vouched, ...sign(further, vouched) };
  const vouchEntry = log.add(
    'vouch',
    {},
    {
      person: { by: OCTOCAT, holder: MONA, credential: credentialOf(own), proofSha256: sha256OfJson(vouch) },
    },
  );
  others();
  const statement: Statement = {
    ...{
      v: 1,
      purpose: 'approve',
      host: HOST,
      user: MONA,
      org: ORG,
      repo: { id: 77, name: 'octo-org/hello' },
    },
    ...{ pr: 7, base: 'main', head: HEAD, nonce: nonce(), iat: 1_795_000_100 },
  };
  const signed = sign(own, statement);
  const entry = log.add(
    'webauthnCollect',
    { sha: HEAD, pr: 7, base: 'main', repo: 'hello' },
    {
      event: { repoId: 77, userVerified: true, aaguid: '', modelVerified: false },
      person: {
        ...{ by: MONA, holder: MONA, credential: credentialOf(own), verdict: VERDICT },
        proofSha256: sha256OfJson({ statement, ...signed }),
      },
    },
  );
  const link = (key: SoftwareAuthenticator, holder: Account, at: number) => ({
    ...{ holder, publicKeySha256: credentialOf(key).publicKeySha256, vouch: null },
    registration: log.included(registrations[at] as number),
  });
  return () => ({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'https://github.com/octo-org/hello', digest: { gitCommit: HEAD } }],
    predicateType: 'urn:otp-guard:approval:v1',
    predicate: {
      ...{ issuer: HOST, issued: '2026-11-22T00:00:00Z', approved: '2026-11-21T00:00:00Z', withdrawn: null },
      ...{ method: 'passkey' as const, statement, ...signed, userVerified: true, verdict: VERDICT },
      authenticator: { aaguid: '', model: '', modelVerified: false },
      enrolment: [
        {
          ...link(own, MONA, 2),
          enrolled: 'vouched' as const,
          vouch: { ...vouch, entry: log.included(vouchEntry) },
        },
        { ...link(further, OCTOCAT, 1), enrolled: 'open' as const },
        { ...link(first, OCTOCAT, 0), enrolled: 'open' as const },
      ],
      log: { checkpoint: log.checkpoint(), entry: log.included(entry) },
    },
  });
}
