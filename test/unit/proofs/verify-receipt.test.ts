import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ApprovalReceipt, ReceiptStatement } from '../../../src/contract/receipts.ts';
import { refusalIn } from '../../../src/proofs/findings.ts';
import { verifyReceipt } from '../../../src/proofs/verify-receipt.ts';
import { flip, leavesOf, setAt } from '../../support/flips.ts';
import { HOST, signingKey, TestLog, treeHash } from '../../support/test-log.ts';
import {
  addApproval,
  addCodeApproval,
  addDenial,
  addDeployment,
  addRejection,
} from '../../support/test-receipt.ts';

const log = new TestLog();
log.add('setOrgImage');
// Through JSON, so that no two parts of it are the same object.
const receipt: ApprovalReceipt = JSON.parse(
  JSON.stringify(addApproval(log, () => log.add('authenticatorRename'))()),
);
const { keyList } = log;
const verify = (statement: ReceiptStatement, checkpoint?: string) =>
  verifyReceipt(log.envelope(statement), { keyList, checkpoint });
type Patch = Record<string, unknown>;
/** The receipt with other values at some paths of its predicate. */
function patched(patch: Patch): ApprovalReceipt {
  const copy = structuredClone(receipt);
  for (const [path, value] of Object.entries(patch)) setAt(copy.predicate, path.split('.'), value);
  copy.predicate.enrolment = copy.predicate.enrolment.filter(Boolean);
  return copy;
}
const erased = (entry: string): Patch => ({ [`${entry}.person`]: null, [`${entry}.salts.person`]: null });
const without: Patch = Object.fromEntries([0, 1, 2].map((at) => [`enrolment.${at}.registration`, null]));
const textsOf = (found: Awaited<ReturnType<typeof verifyReceipt>>, status: string) =>
  found.findings.filter((one) => one.status === status).map(({ about, text }) => `${about}: ${text}`);

const ofRun = `commit ${'ab'.repeat(20)} of octo-org/hello to release by run 123, attempt 1 (.github/workflows/release.yml, on v1.2.0), with a fingerprint, face or PIN.`;

/** Claims that only the server makes: it can sign anything there. */
const CLAIMED = /^predicate\.(issued|withdrawn|authenticator\.model|enrolment\.\d\.holder\.login)$/;

describe('a receipt', () => {
  it('says what it proves, and what is only claimed', async () => {
    const found = await verify(receipt, log.checkpoint());
    expect(textsOf(found, 'failed')).toEqual([]);
    expect(found.valid).toBe(true);
    const what = `commit ${'ab'.repeat(20)} of octo-org/hello#7 into main, with a fingerprint, face or PIN.`;
    expect(textsOf(found, 'proved')).toEqual([
      `server: The server’s published key ${log.key.id} signed this receipt.`,
      `signature: The key of mona (GitHub account 11) signed exactly ${what}`,
      'log: A published key signed the log guard.example.org/log/9 with 7 entries.',
      'checkpoint: The receipt’s log is that of the checkpoint that you gave.',
      'entry: Entry 7 of the log is this approval, with all that was signed.',
      'enrolment: Entry 4 of the log registered the key of mona (GitHub account 11).',
      'enrolment: The key of octocat (GitHub account 12) signed that this key is mona (GitHub account 11)’s: entry 5 of the log.',
      'enrolment: Entry 3 of the log registered the key of octocat (GitHub account 12).',
      'enrolment: The log says that another authenticator of octocat (GitHub account 12) let this key in.',
      'enrolment: Entry 2 of the log registered the key of octocat (GitHub account 12).',
      'enrolment: mona (GitHub account 11) was vouched for by octocat (GitHub account 12).',
    ]);
    expect(textsOf(found, 'claimed').map((text) => text.split(':')[0])).toEqual([
      'enrolment',
      'enrolment',
      'time',
      'person',
      'model',
      'verdict',
    ]);
  });

  it.each(leavesOf(receipt).map((path, index) => [path.join('.'), path, index % 2 === 0 ? 0.5 : 1] as const))(
    'isn’t valid if %s is another one, though the server signs it',
    async (name, path, at) => {
      const found = await verify(flip(receipt, path, at));
      expect(found.valid).toBe(CLAIMED.test(name));
    },
  );

  it('isn’t valid if anything of its envelope is another one', async () => {
    const envelope = log.envelope(receipt);
    for (const path of leavesOf(envelope))
      for (let at = 0; at < 1; at += 0.1)
        expect((await verifyReceipt(flip(envelope, path, at), { keyList })).valid).toBe(false);
    const extra = { keyid: log.key.id, sig: Buffer.alloc(64).toString('base64') };
    const two = { ...envelope, signatures: [...envelope.signatures, extra] };
    expect((await verifyReceipt(two, { keyList })).valid).toBe(false);
  });

  it('is never trusted by a key that comes with it, or without a key list', async () => {
    const thief = signingKey();
    const publicKey = Buffer.from(thief.publicKey).toString('base64url');
    const forged = { ...log.envelope(receipt, thief), keys: [{ id: thief.id, type: 'ed25519', publicKey }] };
    const found = await verifyReceipt(forged, { keyList });
    expect(textsOf(found, 'failed')).toEqual([
      'server: No key of the published list signed this receipt as it is. Trust nothing in it.',
    ]);
    expect(textsOf(await verifyReceipt(log.envelope(receipt), { keyList: null }), 'failed')[0]).toContain(
      'Save the server’s /.well-known/otp-guard.json',
    );
    const elsewhere = { ...keyList, host: 'https://other.example' };
    expect((await verifyReceipt(log.envelope(receipt), { keyList: elsewhere })).valid).toBe(false);
  });

  it.each<[what: string, patch: Patch, says: RegExp]>([
    ['is withdrawn', { withdrawn: '2026-11-22T00:00:00Z' }, /withdrawn at 2026-11-22/],
    ['has a key from before the log', { 'enrolment.0.registration': null }, /before the log began/],
    ['leaves out where the chain goes on', { 'enrolment.2': undefined }, /has nothing about it/],
    ['has an erased person', erased('log.entry'), /no longer shows who it was/],
    ['has an erased voucher', erased('enrolment.0.vouch.entry'), /erased in part/],
    [
      'has an erased registration',
      erased('enrolment.0.registration'),
      /registered the key of mona .*, says the server: it was erased in part/,
    ],
    ['has no log', { log: null, ...without, 'enrolment.0.vouch.entry': null }, /from before the log began/],
  ])('that %s is valid and says so', async (_what, patch, says) => {
    const found = await verify(patched(patch));
    expect(textsOf(found, 'failed')).toEqual([]);
    expect(found.findings.map(({ text }) => text).join('\n')).toMatch(says);
  });

  const own = receipt.predicate.enrolment;
  it.each<[what: string, patch: Patch]>([
    ['the same key twice in its chain', { 'enrolment.3': own[0] }],
    ['a key that nothing links', { 'enrolment.1': own[2], 'enrolment.2': undefined }],
    ['a chain of another key', { enrolment: own.slice(1) }],
    ['no voucher’s key', { enrolment: own.slice(0, 1) }],
    ['no signature', { assertion: null }],
    ['a code that is signed', { method: 'totp' }],
    ['a part without its salt', { 'log.entry.salts.event': null }],
    ['entries but no log', { log: null }],
    ['a path that is too short', { 'log.entry.path': log.included(7).path.slice(1) }],
    ['another entry’s place', { 'log.entry': log.included(5) }],
    ['an event that was taken away', { 'log.entry.event': null, 'log.entry.salts.event': null }],
  ])('with %s isn’t valid', async (_what, patch) => {
    expect((await verify(patched(patch))).valid).toBe(false);
  });

  it('with the checkpoint of another organization’s log has no log', async () => {
    const body = { size: 7, root: treeHash(log.leaves) };
    const foreign = log.note(body, log.key, 'guard.example.org/log/10');
    expect(textsOf(await verify(patched({ 'log.checkpoint': foreign })), 'failed')[0]).toMatch(
      /^log: No published key signed the receipt’s checkpoint of guard\.example\.org\/log\/9/,
    );
  });

  it('takes a vouch from before the server’s port changed, and none from another host', async () => {
    const verifyVouchedOn = async (vouchedOn: string) => {
      const own = new TestLog();
      const statement = addApproval(own, undefined, { vouchedOn })();
      return (await verifyReceipt(own.envelope(statement), { keyList: own.keyList })).valid;
    };
    expect(await verifyVouchedOn(`${HOST}:8443`)).toBe(true);
    expect(await verifyVouchedOn('https://other.example')).toBe(false);
  });

  it('doesn’t take a vouch for how the key came in that was given after the approval', async () => {
    const late = new TestLog();
    const statement = addApproval(late, undefined, { isVouchedLate: true })();
    const found = await verifyReceipt(late.envelope(statement), { keyList: late.keyList });
    expect(textsOf(found, 'failed')).toEqual([expect.stringContaining('is later than what')]);
  });

  it('by a one-time code says plainly that only the server attests it', async () => {
    const found = await verify(addCodeApproval(new TestLog(log.key))());
    expect(textsOf(found, 'failed')).toEqual([]);
    expect(textsOf(found, 'claimed').join('\n')).toMatch(
      /entered a one-time code .* only the server says so/,
    );
    expect(textsOf(found, 'proved').join('\n')).not.toContain('signature:');
  });

  it('of a denial says what was denied and why, and never that anything was approved', async () => {
    const found = await verify(addDenial(new TestLog(log.key))());
    expect(textsOf(found, 'failed')).toEqual([]);
    const texts = found.findings.map(({ about, text }) => `${about}: ${text}`);
    const what = `commit ${'ab'.repeat(20)} of octo-org/hello#7 into main, with a fingerprint, face or PIN.`;
    expect(texts).toEqual(
      expect.arrayContaining([
        'denial: This is a denial, which approves nothing. Its reason: “drops a table”',
        `signature: The key of mona (GitHub account 11) signed exactly the denial of ${what}`,
        'entry: Entry 5 of the log is this denial, with all that was signed.',
        expect.stringMatching(/^time: Denied at /),
      ]),
    );
    expect(texts.filter((text) => /approved|approval/i.test(text))).toEqual([]);
    const { findings } = await verify(addCodeApproval(new TestLog(log.key), addDenial)());
    expect(findings.find(({ about }) => about === 'denial')?.status).toBe('claimed');
  });

  it('of a deployment says which run may deploy what to where, and never that a pull request was approved', async () => {
    const found = await verify(addDeployment(new TestLog(log.key))());
    expect(textsOf(found, 'failed')).toEqual([]);
    expect(found.findings.map(({ about, text }) => `${about}: ${text}`)).toEqual(
      expect.arrayContaining([
        'deployment: This is an approval of a deployment, which approves no pull request.',
        `signature: The key of mona (GitHub account 11) signed exactly the deployment of ${ofRun}`,
        'entry: Entry 5 of the log is this approval of a deployment, with all that was signed.',
        expect.stringMatching(/^time: Approved for deployment at /),
        'verdict: By policy 3 the server let the deployment pass.',
      ]),
    );
    expect(refusalIn(found)).toBeUndefined();
  });

  it('of a deployment quotes names that could imitate the sentence', async () => {
    const names = { environment: 'release by run 1"', workflow: 'a.yml, on main), with a touch', ref: 'v1(' };
    const found = await verify(addDeployment(new TestLog(log.key), {}, names)());
    expect(textsOf(found, 'failed')).toEqual([]);
    expect(textsOf(found, 'proved').join()).toContain(
      'to "release by run 1\\"" by run 123, attempt 1 ("a.yml, on main), with a touch", on "v1("), with a fingerprint',
    );
  });

  it('of a rejected deployment says so and why, and never that anything was approved', async () => {
    const found = await verify(addRejection(new TestLog(log.key))());
    expect(textsOf(found, 'failed')).toEqual([]);
    const texts = found.findings.map(({ about, text }) => `${about}: ${text}`);
    expect(texts).toEqual(
      expect.arrayContaining([
        'rejection: This is a rejection of a deployment, which approves nothing. Its reason: “not on a Friday”',
        `signature: The key of mona (GitHub account 11) signed exactly the rejection of the deployment of ${ofRun}`,
        expect.stringMatching(/^time: Rejected for deployment at /),
      ]),
    );
    expect(texts.filter((text) => /approved|approval|^verdict/i.test(text))).toEqual([]);
    expect(refusalIn(found)).toBe('rejection');
  });

  it('is compared with a checkpoint from elsewhere', async () => {
    const fork = log.fork(6);
    fork.add('removal');
    const other = new TestLog();
    other.add('removal');
    const why = async (checkpoint: string) => textsOf(await verify(receipt, checkpoint), 'failed');
    expect(await why(fork.checkpoint())).toEqual([expect.stringContaining('two versions of the log')]);
    expect(await why(log.checkpoint(6))).toEqual([
      expect.stringContaining('Download the receipt again for size 6'),
    ]);
    expect(await why(other.checkpoint())).toEqual([expect.stringContaining('No published key signed')]);
    expect(await why('nothing')).toEqual([expect.stringContaining('No published key signed')]);
    const foreign = log.note({ size: 7, root: new Uint8Array(32) }, log.key, 'guard.example.org/log/10');
    expect(await why(foreign)).toEqual([expect.stringContaining('of another log')]);
  });

  it('in a bundle makes it valid only together with all others', async () => {
    const good = log.envelope(receipt);
    const both = await verifyReceipt({ receipts: [good, { ...good, payload: 'AAAA' }] }, { keyList });
    expect([both.valid, both.findings.find(({ status }) => status === 'failed')?.receipt]).toEqual([
      false,
      2,
    ]);
    expect((await verifyReceipt({ receipts: [good, good] }, { keyList })).valid).toBe(true);
    const none = await verifyReceipt({ receipts: [] }, { keyList });
    expect([none.valid, textsOf(none, 'failed')]).toEqual([false, ['receipt: The file has no receipt.']]);
  });

  it('never throws, for any input', async () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    const mutated = fc
      .tuple(fc.constantFrom(...leavesOf(receipt)), fc.jsonValue())
      .filter(([path]) => !CLAIMED.test(path.join('.')))
      .map(([path, value]) => {
        const copy = structuredClone(receipt);
        setAt(copy, path, [value]);
        return log.envelope(copy);
      });
    const input = fc.oneof(
      fc.anything(),
      fc.constant(deep),
      fc.anything().map((one) => ({ receipts: [one] })),
      fc.jsonValue().map((one) => log.envelope(one)),
      mutated,
    );
    await fc.assert(
      fc.asyncProperty(input, fc.anything(), async (one, checkpoint) => {
        const found = await verifyReceipt(one, { keyList, checkpoint: checkpoint as string });
        expect(found.valid).toBe(false);
      }),
      { numRuns: 200 },
    );
    expect((await verifyReceipt(log.envelope(receipt), { keyList: { host: HOST } as never })).valid).toBe(
      false,
    );
  });
});
