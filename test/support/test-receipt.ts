import { randomBytes } from 'node:crypto';
import type {
  ApprovalReceipt,
  DenialReceipt,
  DeploymentReceipt,
  ReceiptStatement,
} from '../../src/contract/receipts.ts';
import type { BatchStatement, Statement, VouchStatement } from '../../src/contract/statement.ts';
import { sha256Base64url, sha256OfJson } from '../../src/shared/crypto.ts';
import { SoftwareAuthenticator, UP, UV } from './authenticator.ts';
import { HOST, ORG, TestLog } from './test-log.ts';

type Account = { id: number; login: string };
type Approver = {
  own?: SoftwareAuthenticator;
  method?: 'passkey' | 'security-key';
  flags?: number;
  /** The text that the key signs instead of the statement. */
  batch?: (statement: Statement) => BatchStatement;
  isVouchedLate?: boolean;
  vouchedOn?: string;
  /** The host that the approval was given on. */
  host?: string;
  /** Whose registration and vouch say that the approving key is theirs. */
  holder?: Account;
  /** Octocat's further key. */
  further?: SoftwareAuthenticator;
  /** Registers octocat's further key after it vouched. */
  isVoucherLate?: boolean;
  /** Whose octocat's first key is. */
  firstHolder?: Account;
  /** The text that octocat signs instead of the vouch. */
  vouch?: (statement: VouchStatement) => VouchStatement;
};
type Signed = { assertion: NonNullable<ReceiptStatement['predicate']['assertion']>; publicKey: string };

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
const sign = (key: SoftwareAuthenticator, statement: object, flags = UP | UV): Signed => ({
  assertion: key.get(
    { challenge: sha256OfJson(statement) },
    { flags, userHandle: 'aGFuZGxl' },
  ) as Signed['assertion'],
  publicKey: key.publicKey,
});

/** Mona's batch of this approval and two others. */
export const aBatch = (statement: Statement): BatchStatement => ({
  ...{ v: 1, purpose: 'approve-batch', host: HOST, user: MONA, org: ORG, iat: 1_795_000_100 },
  ...{ approvals: ['one', statement, 'two'].map(sha256OfJson), nonce: nonce() },
});

/** Octocat's own first key, then their further one, which vouched for mona's; mona approved with that. */
export const addApproval = (log: TestLog, others?: () => void, options?: Approver) =>
  addGiven(log, others, options) as () => ApprovalReceipt;

/** The same, but mona denied. */
export const addDenial = (log: TestLog, options?: Approver, reason = 'drops a table') =>
  addGiven(log, undefined, options, { purpose: 'deny', reason }) as () => DenialReceipt;

/** The same, but mona approved a deployment of the commit. */
export const addDeployment = (log: TestLog, options?: Approver, run: Partial<typeof OF_RUN> = {}) =>
  addGiven(log, undefined, options, { purpose: 'deploy', run }) as () => DeploymentReceipt;

/** The same, but mona rejected it. */
export const addRejection = (log: TestLog, options?: Approver, reason = 'not on a Friday') =>
  addGiven(log, undefined, options, { purpose: 'reject', reason }) as () => DeploymentReceipt;

type Purpose = ReceiptStatement['predicate']['statement']['purpose'];
/** What a log entry says of each, and the member of a receipt with its time. */
const KINDS: Record<Purpose, { activity: string; type: string; time: string }> = {
  approve: { activity: 'Collect', type: 'approval', time: 'approved' },
  deny: { activity: 'Deny', type: 'denial', time: 'denied' },
  deploy: { activity: 'Deploy', type: 'deployment', time: 'decided' },
  reject: { activity: 'Reject', type: 'deployment', time: 'decided' },
};
const PULL = { pr: 7, base: 'main' };
const OF_RUN = {
  ...{ run: 123, environment: 'release', attempt: 1, ref: 'v1.2.0', event: 'push' },
  workflow: '.github/workflows/release.yml',
};
const isOfRun = (purpose: Purpose) => KINDS[purpose].type === 'deployment';
const loggedData = (purpose: Purpose, { run, environment, ref: base } = OF_RUN) => ({
  ...{ sha: HEAD, repo: 'hello' },
  ...(isOfRun(purpose) ? { run, environment, base } : PULL),
});

function addGiven(
  log: TestLog,
  others: () => void = () => undefined,
  options: Approver = {},
  given: { purpose: Purpose; reason?: string; run?: Partial<typeof OF_RUN> } = { purpose: 'approve' },
): () => ReceiptStatement {
  const { purpose, reason } = given;
  const ofRun = { ...OF_RUN, ...given.run };
  const { own = new SoftwareAuthenticator(HOST), method = 'passkey' as const, flags = UP | UV } = options;
  const { isVouchedLate = false, isVoucherLate = false, vouchedOn = HOST } = options;
  const { host = HOST, holder = MONA, firstHolder = OCTOCAT, vouch: toVouch = (one) => one } = options;
  const { further = new SoftwareAuthenticator(vouchedOn) } = options;
  const first = new SoftwareAuthenticator(HOST);
  const userVerified = (flags & UV) !== 0;
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
  const confirmedBy = credentialOf(first).publicKeySha256;
  const registerFurther = () => register('webauthnRegister', further, OCTOCAT, { confirmedBy }, 'open');
  const ofFirst = register('webauthnRegister', first, firstHolder, {}, 'open');
  const early = isVoucherLate ? 0 : registerFurther();
  const ofOwn = register('webauthnPending', own, holder, {});
  const vouched = toVouch({
    ...{
      v: 1,
      purpose: 'vouch',
      host: vouchedOn,
      org: ORG,
      user: OCTOCAT,
      nonce: nonce(),
      iat: 1_795_000_000,
    },
    credential: { id: own.id, publicKeySha256: credentialOf(own).publicKeySha256, holder },
  });
  const vouch = { statement: vouched, ...sign(further, vouched) };
  const logVouch = () =>
    log.add(
      'vouch',
      {},
      {
        person: {
          by: vouched.user,
          holder,
          credential: credentialOf(own),
          proofSha256: sha256OfJson(vouch),
        },
      },
    );
  const earlyVouch = isVouchedLate ? 0 : logVouch();
  const ofFurther = early || registerFurther();
  others();
  const common = {
    ...({ v: 1, host, user: MONA, org: ORG, repo: { id: 77, name: 'octo-org/hello' } } as const),
    ...{ head: HEAD, nonce: nonce(), iat: 1_795_000_100 },
  };
  const statement = {
    ...{ ...common, ...(isOfRun(purpose) ? ofRun : PULL), purpose },
    ...(purpose === 'approve' && { files: sha256OfJson([]) }),
    ...(reason !== undefined && { reasonSha256: sha256Base64url(reason) }),
  };
  const batch = options.batch?.(statement as Statement);
  const signed = { ...sign(own, batch ?? statement, flags), ...(batch && { batch }) };
  const verdict = reason === undefined && { verdict: VERDICT };
  const entry = log.add(`webauthn${KINDS[purpose].activity}`, loggedData(purpose, ofRun), {
    event: { repoId: 77, userVerified, aaguid: '', modelVerified: false },
    person: {
      ...{ by: MONA, holder: MONA, credential: credentialOf(own), ...verdict },
      proofSha256: sha256OfJson({ statement, ...signed }),
    },
  });
  const vouchEntry = earlyVouch || logVouch();
  const link = (key: SoftwareAuthenticator, of: Account, registration: number) => ({
    ...{ holder: of, publicKeySha256: credentialOf(key).publicKeySha256, vouch: null },
    registration: log.included(registration),
  });
  const { type, time } = KINDS[purpose];
  const at = log.entries[entry - 1]?.event?.at ?? '';
  const receipt = () => ({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'https://github.com/octo-org/hello', digest: { gitCommit: HEAD } }],
    predicateType: `urn:otp-guard:${type}:v1`,
    predicate: {
      ...{ issuer: HOST, issued: '2026-11-22T00:00:00Z', withdrawn: null },
      ...{ method, statement, ...signed, userVerified, ...verdict },
      ...{ [time]: at, ...(reason !== undefined && { reason }) },
      ...(purpose === 'deploy' && { reason: null }),
      ...(purpose === 'reject' && { verdict: null }),
      authenticator: { aaguid: '', model: '', modelVerified: false },
      enrolment: [
        {
          ...link(own, holder, ofOwn),
          enrolled: 'vouched' as const,
          vouch: { ...vouch, entry: log.included(vouchEntry) },
        },
        { ...link(further, OCTOCAT, ofFurther), enrolled: 'open' as const },
        { ...link(first, firstHolder, ofFirst), enrolled: 'open' as const },
      ],
      log: { checkpoint: log.checkpoint(), entry: log.included(entry) },
    },
  });
  return receipt as unknown as () => ReceiptStatement;
}

/** Mona entered a one-time code of the app that she registered first. */
export function addCodeApproval<Receipt extends ReceiptStatement = ApprovalReceipt>(
  log: TestLog,
  add = addApproval as (log: TestLog) => () => Receipt,
): () => Receipt {
  const registration = log.add('totpRegister', { enrolled: 'email' }, { person: { by: MONA, holder: MONA } });
  const approval = add(log)();
  const { statement } = approval.predicate;
  const { activity, time } = KINDS[statement.purpose];
  const verdict = ['approve', 'deploy'].includes(statement.purpose) && { verdict: VERDICT };
  const proof = { statement, assertion: null, publicKey: null };
  const entry = log.add(`totp${activity}`, loggedData(statement.purpose), {
    event: { repoId: 77, userVerified: false },
    person: { by: MONA, holder: MONA, proofSha256: sha256OfJson(proof), ...verdict },
  });
  return () => ({
    ...approval,
    predicate: {
      ...{ ...approval.predicate, ...proof, method: 'totp', userVerified: false },
      [time]: log.entries[entry - 1]?.event?.at,
      enrolment: [
        {
          ...{ holder: MONA, publicKeySha256: '', enrolled: 'email', vouch: null },
          registration: log.included(registration),
        },
      ],
      log: { checkpoint: log.checkpoint(), entry: log.included(entry) },
    },
  });
}

type Logged = Parameters<TestLog['add']>;

/** An approval's receipt for which the server changes what it logs before it does so: all hashes and signatures fit. */
export const receiptLoggedWith = (key: TestLog['key'], change: Change, approver?: Approver) =>
  addApproval(changingLog(key, change), undefined, approver)();

/** The same for a denial, or for another decision. */
export const denialLoggedWith = <Receipt extends ReceiptStatement = DenialReceipt>(
  key: TestLog['key'],
  change: Change,
  add = addDenial as (log: TestLog) => () => Receipt,
) => add(changingLog(key, change))();

type Change = (logged: Logged, at: number) => unknown;

function changingLog(key: TestLog['key'], change: Change): TestLog {
  const log = new TestLog(key);
  log.add = (...args) => {
    // Through JSON, so that no two parts of it are the same object.
    const copy = JSON.parse(JSON.stringify(args)) as Logged;
    change(copy, log.entries.length);
    return TestLog.prototype.add.apply(log, copy);
  };
  return log;
}
