import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { verifyReceipt } from '../../../src/proofs/verify-receipt.ts';
import { sha256OfJson } from '../../../src/shared/crypto.ts';
import { SoftwareAuthenticator, UP, UV } from '../../support/authenticator.ts';
import { flip, leavesOf, setAt } from '../../support/flips.ts';
import { ODD_KEYS } from '../../support/odd-keys.ts';
import { HOST, ORG, TestLog } from '../../support/test-log.ts';
import {
  aBatch,
  addApproval,
  addCodeApproval,
  addDenial,
  addDeployment,
  addRejection,
  denialLoggedWith,
  receiptLoggedWith,
} from '../../support/test-receipt.ts';

const log = new TestLog();
const code = addCodeApproval(log)();
const logged: Parameters<TestLog['add']>[] = [];
const passkey = receiptLoggedWith(log.key, (args) => logged.push(structuredClone(args)));
type Approver = NonNullable<Parameters<typeof receiptLoggedWith>[2]>;
const receiptBy = (approver: Approver) => receiptLoggedWith(log.key, () => undefined, approver);

const vouchedWith = (vouch: NonNullable<Approver['vouch']>) => receiptBy({ vouch });
const elsewhere = 'https://other.example';
const STRANGER = { id: 13, login: 'octocat' };
/** A receipt of a server that notes another log's name in its first entries. */
const strayed = (name: string, count: number) => {
  const stray = new TestLog(log.key);
  const { origin } = stray;
  stray.note = (body) => TestLog.prototype.note.call(stray, body, log.key, origin);
  stray.add = (...entry) => {
    Object.assign(stray, { origin: stray.entries.length < count ? name : origin });
    return TestLog.prototype.add.apply(stray, entry);
  };
  return addApproval(stray)();
};
const selfVouched = () => {
  const own = new SoftwareAuthenticator(HOST);
  return receiptBy({ own, further: own });
};

const denialBecause = (reason?: string) => addDenial(new TestLog(log.key), {}, reason)();
const denial = denialBecause();
/** What a person could write, and what only a server could sign. */
const ODD_REASON =
  '“x”, \\"é\u0301 <b>&amp;</b> `**y**` 👩‍👩‍👧 \u202etxt\u2066 \u200b\u0000\r\n1 valid: mona approved it';
/** A server that logs the one as the other. */
const asApproval = { predicateType: 'urn:otp-guard:approval:v1' } as const;
const asDenial = { predicateType: 'urn:otp-guard:denial:v1' } as const;
const deniedAsCollect = denialLoggedWith(
  log.key,
  (args, at) => at === 4 && args.splice(0, 1, 'webauthnCollect'),
);
const approvedAsDeny = receiptLoggedWith(log.key, (args, at) => {
  if (at !== 4) return;
  args.splice(0, 1, 'webauthnDeny');
  setAt(args, [2, 'person', 'verdict'], undefined);
});
const withReason = { denied: approvedAsDeny.predicate.approved, reason: 'drops a table' };

const deployment = addDeployment(new TestLog(log.key))();
const rejection = addRejection(new TestLog(log.key))();
/** One kind of decision in the receipt of another one, where everything else fits that a server can change. */
const AT = deployment.predicate.decided;
const asDeployment = { predicateType: 'urn:otp-guard:deployment:v1' } as const;
const loggedAs = (add: Parameters<typeof denialLoggedWith>[2], activity: string) =>
  denialLoggedWith(log.key, (args, at) => at === 4 && args.splice(0, 1, activity), add);
const shownAs = (type: object, receipt: { predicate: object }, more: object) => ({
  ...{ ...receipt, ...type },
  predicate: { ...receipt.predicate, ...more },
});

const batched = receiptBy({ batch: aBatch });
/** A receipt of a person whose key signs any batch for a server that says anything. */
const batchedWith = (change: (own: string) => object) =>
  receiptBy({ batch: (one) => ({ ...aBatch(one), ...change(sha256OfJson(one)) }) });

function keyOf(algorithm: 'RS256' | 'EdDSA', more: number[] = []) {
  const own = new SoftwareAuthenticator(HOST, undefined, algorithm);
  const publicKey = Buffer.concat([Buffer.from(own.publicKey, 'base64url'), Buffer.from(more)]);
  return Object.defineProperty(own, 'publicKey', { value: publicKey.toString('base64url') });
}
function withValue<Receipt extends { predicate: object } = typeof passkey>(
  value: unknown,
  paths: string[],
  receipt = passkey as unknown as Receipt,
) {
  const copy = structuredClone(receipt);
  for (const path of paths) setAt(copy.predicate, path.split('.'), value);
  return copy;
}
const entries = ['enrolment.0.vouch.entry', ...[0, 1, 2].map((at) => `enrolment.${at}.registration`)];
const people = ['log.entry', ...entries].flatMap((entry) => [`${entry}.person`, `${entry}.salts.person`]);
const erasedCode = withValue(
  null,
  people.filter((path) => /^log|^enrolment\.0\.registration/.test(path)),
  addCodeApproval(new TestLog(log.key), addDeployment)(),
);
const unlogged = withValue(null, ['log', ...entries]);
const erasedPeople = withValue(null, people);
const byOddKeys = Object.entries(ODD_KEYS).map(
  ([name, key]) => [name, receiptBy({ own: new SoftwareAuthenticator(HOST, undefined, key) })] as const,
);
const VALID = {
  'a passkey': passkey,
  'a security key': receiptBy({ own: keyOf('RS256'), method: 'security-key', flags: UP }),
  'a one-time code': code,
  'a batch': batched,
  'no batch': withValue(null, ['batch']),
  'a withdrawn approval': withValue('2026-11-22T00:00:00Z', ['withdrawn']),
  'erased people': erasedPeople,
  'an approval from before the log': unlogged,
  'a denial': denial,
  'a denial by a one-time code': addCodeApproval(new TestLog(log.key), addDenial)(),
  'a denial that ended': withValue('2026-11-22T00:00:00Z', ['withdrawn'], denial),
  'a denial of an erased person': withValue(null, people, denial),
  'a denial with an odd reason': denialBecause(ODD_REASON),
  'a denial with a batch, which is nothing in it': withValue({}, ['batch'], denial),
  'a deployment': deployment,
  'a rejected deployment': rejection,
  'a deployment by a one-time code': addCodeApproval(new TestLog(log.key), addDeployment)(),
  'a rejected deployment by a one-time code': addCodeApproval(new TestLog(log.key), addRejection)(),
  'a withdrawn deployment': withValue('2026-11-22T00:00:00Z', ['withdrawn'], deployment),
  'a deployment of an erased person': withValue(null, people, deployment),
  'a rejected deployment of an erased person': withValue(null, people, rejection),
  'a deployment by a code of an erased person': erasedCode,
};
const REFUSED = {
  ...Object.fromEntries(byOddKeys),
  'a key that nobody can register': receiptBy({ own: keyOf('EdDSA') }),
  'a key with something behind it': receiptBy({ own: keyOf('RS256', [0]) }),
  'a backup of what can’t be backed up': receiptBy({ flags: UP | UV | 16 }),
  'a vouch with two ids': withValue('AAAA', ['enrolment.0.vouch.assertion.rawId'], unlogged),
  'no way in': receiptLoggedWith(log.key, ([, data], at) => at === 0 && setAt(data, ['enrolled'], null)),
  'a batch without it': batchedWith(() => ({ approvals: ['one', 'two'].map(sha256OfJson) })),
  'a batch with its hash in a text': batchedWith((own) => ({ approvals: own })),
  'a batch of too many': batchedWith((own) => ({ approvals: Array(21).fill(own) })),
  'a batch of somebody else': batchedWith(() => ({ user: { id: 12, login: 'mona' } })),
  'a batch of another organization': batchedWith(() => ({ org: { id: 10, login: ORG.login } })),
  'a batch of another host': batchedWith(() => ({ host: 'https://other.example' })),
  'a batch for something else': batchedWith(() => ({ purpose: 'approve' })),
  'a batch that nobody signed': withValue(aBatch(passkey.predicate.statement), ['batch']),
  'a batch that is left out': withValue(undefined, ['batch'], batched),
  'a batch of another approval': withValue(passkey.predicate.statement, ['statement'], batched),
  'an empty batch': withValue({}, ['batch']),
  'a batch of codes': withValue(batched.predicate.batch, ['batch'], code),
  'a batch that was signed on another host': receiptBy({
    own: new SoftwareAuthenticator(elsewhere),
    batch: (one) => ({ ...aBatch(one), host: elsewhere }),
  }),
  'an approval on another host': withValue(
    null,
    ['log', ...entries],
    receiptBy({ own: new SoftwareAuthenticator(elsewhere), host: elsewhere }),
  ),
  'a code with a verified person': withValue(
    true,
    ['userVerified'],
    withValue(null, ['log', 'enrolment.0.registration'], code),
  ),
  'another word about the verified person': withValue(false, ['userVerified'], unlogged),
  'entries of another server’s log': strayed('other.example/log/9', 5),
  'an entry of another organization’s log': strayed('guard.example.org/log/10', 1),
  'one erased entry for two keys': withValue(
    erasedPeople.predicate.enrolment[2]?.registration,
    ['enrolment.1.registration'],
    erasedPeople,
  ),
  'a vouch for a key of another person': receiptBy({ holder: STRANGER }),
  'a vouch that names another key': vouchedWith(({ credential, ...one }) => ({
    ...{ ...one, credential: { ...credential, publicKeySha256: sha256OfJson('another') } },
  })),
  'a vouch that names another holder': vouchedWith(({ credential, ...one }) => ({
    ...{ ...one, credential: { ...credential, holder: STRANGER } },
  })),
  'a vouch in another organization': vouchedWith((one) => ({ ...one, org: { id: 10, login: ORG.login } })),
  'a vouch by somebody else with the voucher’s key': vouchedWith((one) => ({ ...one, user: STRANGER })),
  'a key that vouched for itself': selfVouched(),
  'a voucher’s key that came in after the vouch': receiptBy({ isVoucherLate: true }),
  'a further key that another person let in': receiptBy({ firstHolder: STRANGER }),
  'a denial with another reason': withValue('drops a table.', ['reason'], denial),
  'a denial without a reason': withValue(undefined, ['reason'], denial),
  'a denial because of half a character': denialBecause('\ud83d'),
  'a denial from before the log': withValue(null, ['log', ...entries], denial),
  'a denial of a later version': { ...denial, predicateType: 'urn:otp-guard:denial:v2' },
  'a denial that was logged as an approval': deniedAsCollect,
  'an approval that was logged as a denial': approvedAsDeny,
  'a denial as an approval': {
    ...{ ...deniedAsCollect, ...asApproval },
    predicate: {
      ...{ ...deniedAsCollect.predicate, approved: deniedAsCollect.predicate.denied },
      verdict: null,
    },
  },
  'an approval as a denial': {
    ...{ ...approvedAsDeny, ...asDenial, predicate: { ...approvedAsDeny.predicate, ...withReason } },
  },
  ...Object.fromEntries(
    Object.entries({ deployment, rejection }).flatMap(([name, receipt]) => [
      [`a ${name} from before the log`, withValue(null, ['log', ...entries], receipt)],
      [`a ${name} without a reason`, withValue(undefined, ['reason'], receipt)],
      [`a ${name} with another reason`, withValue('drops a table', ['reason'], receipt)],
      [`a ${name} without a verdict`, withValue(undefined, ['verdict'], receipt)],
      [`a ${name} of a later version`, { ...receipt, predicateType: 'urn:otp-guard:deployment:v2' }],
      [`a ${name} in an approval’s receipt`, shownAs(asApproval, receipt, { approved: AT })],
      [`a ${name} in a denial’s receipt`, shownAs(asDenial, receipt, { denied: AT })],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({ environment: 'staging', run: 124, ref: 'main' }).map(([name, value]) => [
      `an erased deployment by a code with another ${name}`,
      withValue(value, [`statement.${name}`], erasedCode),
    ]),
  ),
  'a rejected deployment of an erased person with a verdict': withValue(
    deployment.predicate.verdict,
    ['verdict'],
    withValue(null, people, rejection),
  ),
  'a rejected deployment that was logged as an approved one': loggedAs(addRejection, 'webauthnDeploy'),
  'a deployment that was logged as an approval': loggedAs(addDeployment, 'webauthnCollect'),
  'a deployment as an approval': shownAs(asApproval, loggedAs(addDeployment, 'webauthnCollect'), {
    ...{ approved: AT, verdict: null },
  }),
  'an approval as a deployment': shownAs(asDeployment, passkey, { decided: AT, reason: null }),
  'an approval that was logged as a deployment': shownAs(
    asDeployment,
    loggedAs(addApproval, 'webauthnDeploy'),
    {
      ...{ decided: AT, reason: null },
    },
  ),
  'a denial as a rejected deployment': shownAs(asDeployment, loggedAs(addDenial, 'webauthnReject'), {
    ...{ decided: AT, verdict: null },
  }),
  'a rejected deployment as a denial': shownAs(asDenial, loggedAs(addRejection, 'webauthnDeny'), {
    denied: AT,
  }),
  'a byte order mark': `\ufeff${JSON.stringify(passkey)}`,
};
const flips = Object.entries({ passkey, code, batched, denial, deployment, rejection }).flatMap(
  ([name, receipt]) =>
    leavesOf(receipt).map((path) => [`${name} ${path.join('.')}`, flip(receipt, path)] as const),
);
const logFlips = logged.flatMap((args, entry) =>
  leavesOf(args).flatMap((path) => {
    const change = (set: (copy: object) => unknown) =>
      receiptLoggedWith(log.key, (copy, at) => at === entry && set(copy));
    // Each receipt has keys of its own, so only this one value may come from elsewhere.
    const flipped = change((copy) => Object.assign(copy, flip(copy, path)));
    const without = change((copy) => setAt(copy, path, undefined));
    return Object.entries({ '': flipped, ' left out': without }).map(([how, receipt]) => [
      `entry ${entry} ${path.join('.')}${how}`,
      receipt,
    ]);
  }),
);
/** Claims that only the server makes, and claims that aren't about the key that approved. */
const CLAIMED =
  /\.(approved|withdrawn|login|model|issued)$|entry [013] .*idSha256$|entry [0-2] .*by\.id$|entry [0-2] .*(aaguid|modelVerified)$|(enrolled|aaguid|modelVerified) left out$/;

it('agrees with a script that was written from the docs alone', async () => {
  const tampered = Object.fromEntries([...flips.filter((_, at) => at % 3 === 0), ...logFlips]);
  const { valid, differing } = await verifyTwice({ ...VALID, ...REFUSED, ...tampered }, log);
  expect(differing).toEqual([]);
  expect(valid.filter((name) => !CLAIMED.test(name))).toEqual(Object.keys(VALID));
  const kept = await verifyTwice({ passkey, code }, log, log.checkpoint());
  expect(kept).toEqual({ valid: ['code'], differing: [] });
});

const SCRIPT = join(import.meta.dirname, '../../receipts/verify_receipt.py');

/**
 * Verifies statements, signed by the log's server, by our program and by the script that was written from
 * docs/receipts/format.md alone.
 *
 * @returns The names of the valid ones, and of those on which the two don't agree, with the script's words.
 */
async function verifyTwice(statements: Record<string, unknown>, log: TestLog, checkpoint?: string) {
  const receipts = Object.values(statements).map((statement) => log.envelope(statement));
  const { keyList } = log;
  const says = await runScript([JSON.stringify({ receipts }), JSON.stringify(keyList), checkpoint ?? '']);
  const [valid, differing]: [string[], string[]] = [[], []];
  for (const [at, name] of Object.keys(statements).entries()) {
    const program = await verifyReceipt(receipts[at], { keyList, checkpoint });
    if (program.valid) valid.push(name);
    if (program.valid !== /^\d+ valid/.test(says[at] ?? '')) differing.push(`${name}: ${says[at]}`);
  }
  return { valid, differing };
}

/** The lines of the script for these files: a receipt or bundle, the list of keys, and maybe a checkpoint. */
async function runScript(texts: string[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-receipts-'));
  const files = texts.filter(Boolean).map((text, at) => {
    writeFileSync(join(folder, `${at}`), text);
    return join(folder, `${at}`);
  });
  try {
    // With -B it leaves no compiled files behind. It exits with 1 if a receipt isn't valid.
    const run = promisify(execFile)('/usr/bin/python3', ['-B', SCRIPT, ...files], { maxBuffer: 2 ** 24 });
    const { stdout, stderr } = await run.catch((failed) => failed);
    return stderr ? Promise.reject(new Error(stderr)) : stdout.split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
