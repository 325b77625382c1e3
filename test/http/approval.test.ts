import { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Server } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { PullStory } from '../../src/contract/approvals.ts';
import type { DenyParamsAnswer } from '../../src/contract/denials.ts';
import type {
  KeyList,
  LogExportPage,
  LogStatus,
  ReceiptsAnswer,
  ReceiptsExport,
} from '../../src/contract/receipts.ts';
import { auditExport } from '../../src/proofs/audit-export.ts';
import type { Verification } from '../../src/proofs/findings.ts';
import { verifyReceipt } from '../../src/proofs/verify-receipt.ts';
import { orgOf, proofBy, registerKey, registerPasskey, setPolicy, setRole } from '../support/account.ts';
import { SoftwareAuthenticator } from '../support/authenticator.ts';
import { workerGlobals } from '../support/built.ts';
import {
  approvalOptions,
  approveBy,
  type OwnProduct,
  type ParamsAnswer,
  type Pull,
  type Session,
  sendAssertion,
  startTestProduct,
  targetOf,
  until,
} from '../support/product.ts';

/** A security key in Safari, which names an empty user handle, by a client that writes absent members as null. */
class SafariKey extends SoftwareAuthenticator {
  override get(...[options, twist]: Parameters<SoftwareAuthenticator['get']>) {
    return { ...super.get(options, { userHandle: '', ...twist }), authenticatorAttachment: null };
  }
}

describe('approving a head with a passkey', () => {
  let product: OwnProduct;
  let mona: Session;
  let octocat: Session;
  let monasKey: SoftwareAuthenticator;
  let octocatsKey: SoftwareAuthenticator;

  beforeAll(async () => {
    product = await startTestProduct({ waits: { retryEveryMs: 500 } });
    [mona, octocat] = await Promise.all([product.signIn('mona'), product.signIn('octocat')]);
    const inSafari = () => new SafariKey(product.origin);
    [monasKey, octocatsKey] = await Promise.all([
      registerPasskey(product, mona, undefined, inSafari()),
      registerPasskey(product, octocat, undefined, inSafari()),
    ]);
  });

  afterAll(() => product?.stop());

  const approve = (pull: Pull) => approveBy(product, mona, monasKey, pull);

  it('completes the head’s check once, and says who approved, how and when', async () => {
    const pull = await product.pendingPull('Complete me');
    const answer = await approve(pull);
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      redirect: `${product.github.origin}/octo-org/hello/pull/${pull.number}`,
      reported: true,
      passed: true,
      needs: null,
    });
    const runs = await product.runs(pull.head.sha);
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({ name: 'OTP Guard', status: 'completed', conclusion: 'success' });
    expect(runs[0]?.output.title).toBe('Approved by mona');
    expect(runs[0]?.output.summary).toMatch(
      new RegExp(
        `^@mona approved commit \`${pull.head.sha.slice(0, 8)}\` of #${pull.number} into \`main\` with a passkey ` +
          '\\(fingerprint, face or PIN\\), \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC\\.\\n\\n#\\d+ was opened [^\\n]*\\n\\n<details><summary>Signed checkpoint of the log: \\d+ entries<',
      ),
    );
    await product.asAdmin('PUT', `/repos/octo-org/hello/pulls/${pull.number}/merge`, {});
  });

  it('works in Safari, whose keys name an empty user handle, and so do a step-up and a vouch', async () => {
    expect((await approve(await product.pendingPull())).status).toBe(200);
    const hubot = await product.signIn('hubot');
    await setRole(product, 'hubot', 'member');
    await setPolicy(product, octocat, octocatsKey, { enrolment: { mode: 'vouched' } });
    const { id: authenticatorID } = (await registerKey(product, hubot)).json<{ id: string }>();
    const stepUp = await proofBy(product, octocat, octocatsKey, { type: 'vouch', authenticatorID });
    const body = { ...orgOf(product), authenticatorID, stepUp, accessToken: octocat.accessToken };
    expect((await product.call('/github-vouch', body, octocat)).text).toBe('ok');
    await setPolicy(product, octocat, octocatsKey, {});
  });

  it('is withdrawn by its person alone, once, makes the check wait, and can be given again', async () => {
    const pull = await product.pendingPull();
    expect((await approve(pull)).status).toBe(200);
    const target = targetOf(product, pull);
    const withdraw = (session: Session) =>
      product.call('/github-withdraw-approval', { ...target, accessToken: session.accessToken }, session);
    const shown = async () => (await product.runs(pull.head.sha)).toSorted((a, b) => b.id - a.id)[0]?.status;
    const read = async (session: Session) =>
      (await product.call('/github-check-webauthn-params', { ...target }, session)).json<{
        yourApproval: { method: string } | null;
        story: PullStory;
      }>();
    const own = async (session: Session) => (await read(session)).yourApproval?.method;
    // Which sessions and tokens are refused: test/http/refusals.test.ts.
    expect((await withdraw(octocat)).status).toBe(404);
    expect([await shown(), await own(mona), await own(octocat)]).toEqual(['completed', 'passkey', undefined]);

    const answers = await Promise.all(Array.from({ length: 5 }, () => withdraw(mona)));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect([await shown(), await own(mona)]).toEqual(['in_progress', undefined]);
    const { approvals } = (await read(mona)).story;
    const withdrawn = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(approvals).toMatchObject([{ login: 'mona', method: 'passkey', withdrawn }]);
    expect((await approve(pull)).status).toBe(200);
    expect(await shown()).toBe('completed');
  });

  /** A pull request that waits, the link of its check run, and what `change` makes of the link. */
  async function afterChange(change: () => Promise<unknown>) {
    const pull = await product.pendingPull();
    await change();
    const former = Object.fromEntries(new URL(pull.details).searchParams);
    const renewed = await until('the renewed link', async () => {
      const shown = (await product.runs(pull.head.sha)).find(
        ({ details_url }) => details_url !== pull.details,
      );
      return shown?.status === 'in_progress' && Object.fromEntries(new URL(shown.details_url).searchParams);
    });
    return { pull, former, renewed };
  }

  /** Approves through this link, as its page does. */
  async function approveThrough(link: Record<string, string>, key = monasKey) {
    const { url: _url, headURL: _headURL, title: _title, ...target } = link;
    const { options, target: now } = await approvalOptions(product, mona, target);
    expect((await sendAssertion(product, mona, target, key.get(options))).status).toBe(200);
    return now;
  }

  const list = async () => {
    const answer = await fetch(`${product.origin}/.well-known/otp-guard.json`);
    return { answer, list: (await answer.json()) as KeyList };
  };
  /** Claims that aren't proved. */
  const unproved = ({ findings }: Verification) => findings.filter(({ status }) => status === 'failed');
  const post = <T>(path: string, body: object, session: Partial<Session> = octocat) =>
    product.call(path, body, session).then(({ status, text }) => ({
      status,
      answer: (status === 200 ? JSON.parse(text) : text) as T,
    }));

  it('exports the receipts of a release to owners, also of what a merge made of a head', async () => {
    const [pull, unapproved] = [await product.pendingPull('Release me'), await product.openPull('Not me')];
    await approve(pull);
    const { orgID } = product.github.facts;
    const { sha } = await product.asAdmin<{ sha: string }>(
      'PUT',
      `/repos/octo-org/hello/pulls/${pull.number}/merge`,
    );
    const commits = [sha, pull.head.sha, unapproved.head.sha, 'ab'.repeat(20)];
    const release = { orgID, repo: 'hello', commits };
    const { answer } = await post<ReceiptsExport>('/receipts-export', release);
    expect([answer.receipts.length, answer.next]).toEqual([1, null]);
    expect(answer.without).toEqual([
      { commit: unapproved.head.sha, why: expect.stringContaining(`the head of #${unapproved.number}`) },
      { commit: 'ab'.repeat(20), why: expect.stringContaining('no such commit') },
    ]);
    const [from, to] = ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];
    const all = await post<ReceiptsExport>('/receipts-export', { orgID, from, to });
    expect(all.answer.receipts.length).toBeGreaterThan(1);
    expect(unproved(await verifyReceipt(all.answer, { keyList: (await list()).list }))).toEqual([]);
  });

  it('issues the receipt of a denial with its reason, also after the denial was withdrawn', async () => {
    const pull = await product.pendingPull('Deny me');
    await approve(pull);
    const params = targetOf(product, pull);
    const token = { accessToken: octocat.accessToken };
    const reason = '“drops” a <table> & é\u0301 \\ **now** 👩‍👩‍👧 עברית';
    const denial = { ...params, type: 'webauthn', reason: ` ${reason} `, ...token };
    const { options } = (await post<DenyParamsAnswer>('/deny-params', denial)).answer;
    const signed = octocatsKey.get(options as ParamsAnswer['options']);
    expect((await post('/deny', { params, reason, authResponse: signed, ...token })).status).toBe(200);
    const read = async () => {
      const { answer } = await post<ReceiptsAnswer>('/receipts', params, mona);
      const { findings } = await verifyReceipt(answer, { keyList: (await list()).list });
      const claims = findings.filter(({ about, status }) => about === 'withdrawn' || status === 'failed');
      const said = findings.find(({ about }) => about === 'denial')?.text;
      return { given: answer.proofs.map((proof) => proof.reason), said, claims };
    };
    const said = `This is a denial, which approves nothing. Its reason: “${reason}”`;
    expect(await read()).toEqual({ given: [reason, null], said, claims: [] });
    expect((await post('/github-withdraw-approval', { ...params, ...token })).status).toBe(200);
    const ended = { text: expect.stringMatching(/^The denial ended at /) };
    expect(await read()).toMatchObject({ given: [reason, null], said, claims: [ended] });
    const release = { orgID: product.github.facts.orgID, repo: 'hello', commits: [pull.head.sha] };
    expect((await post<ReceiptsExport>('/receipts-export', release)).answer.receipts).toHaveLength(2);
  });

  it('exports the log to owners in parts that belong together, and says to members that it is intact', async () => {
    const { orgID } = product.github.facts;
    const from = '0001-01-01T00:00:00Z';
    const whole = (await post<LogExportPage>('/log-export', { orgID, from })).answer;
    const rest = (await post<LogExportPage>('/log-export', { orgID, after: 2 })).answer;
    const { list: keys } = await list();
    for (const exported of [whole, rest])
      expect(unproved(await auditExport([exported], { keyList: keys, checkpoints: [] }))).toEqual([]);
    expect([whole.entries.length - rest.entries.length, rest.left.length, whole.next]).toEqual([2, 1, null]);
    const status = (await post<LogStatus>('/organization-log', { orgID }, mona)).answer;
    const size = whole.entries.length;
    expect(status).toMatchObject({ size, checked: { to: size }, changed: null });
    expect(status.checkpoint).toBe(whole.checkpoint);
    for (const change of [{ after: 1e15 }, { from: '9000-01-01T00:00:00Z' }, { to: from }])
      expect((await post('/log-export', { orgID, ...change })).answer).toMatchObject({
        entries: [],
        next: null,
      });
  });

  const isApproved = ({ head }: Pull) =>
    until('the approved check', async () =>
      (await product.runs(head.sha)).some(({ conclusion }) => conclusion === 'success'),
    );

  it('refuses an approval while GitHub is away, and keeps an approval that GitHub doesn’t show until it does', async () => {
    const pull = await product.pendingPull();
    const params = targetOf(product, pull);
    const { options } = await approvalOptions(product, mona, params);
    const answer = monasKey.get(options);
    const approveAgain = () => sendAssertion(product, mona, params, answer);
    const shown = async () => (await product.runs(pull.head.sha))[0]?.conclusion;
    const isAway = (isMeant: (method: string, url: string) => boolean) =>
      product.sendInstead((sendRequest, url, sent) =>
        isMeant(sent?.method ?? 'GET', url)
          ? Promise.reject(new workerGlobals.Error('connect ECONNREFUSED'))
          : sendRequest(url, sent),
      );
    isAway(() => true);
    const refused = await approveAgain();
    expect([refused.status, refused.text]).toEqual([
      502,
      "GitHub didn't answer. Nothing is lost: try again.",
    ]);
    isAway((method, url) => method !== 'GET' && url.includes('/check-runs'));
    const kept = await approveAgain();
    expect([kept.status, kept.json<{ reported: boolean }>().reported]).toEqual([200, false]);
    expect(await shown()).toBeNull();
    product.sendInstead(null);
    await until('the check to turn green by itself', async () => (await shown()) === 'success');
  });

  it('approves as the new owner’s member through a link from before the repository was transferred', async () => {
    const { otherOrg, otherOrgID } = product.github.facts;
    const { pull, former, renewed } = await afterChange(() =>
      product.asAdmin('POST', '/repos/octo-org/hello/transfer', { new_owner: otherOrg }),
    );
    expect([renewed.owner, renewed.ownerID]).toEqual([otherOrg, String(otherOrgID)]);
    const refused = await product.call('/github-check-webauthn-params', former, mona);
    expect(refused.status).toBe(404);
    await product.asAdmin('PUT', `/orgs/${otherOrg}/memberships/mona`, { role: 'member' });
    mona = await product.signIn('mona');
    const key = await registerPasskey(product, mona, { org: otherOrg, orgID: otherOrgID });
    expect(await approveThrough(former, key)).toMatchObject({ owner: otherOrg, ownerID: otherOrgID });
    await isApproved(pull);
  });
});

it('a product finishes what it answered before it stops', async () => {
  // Another product would create runs for other webhooks in the meantime. This one never drains by the clock.
  const product = await startTestProduct({ waits: { drainMs: 24 * 60 * 60_000 } });
  const order: unknown[] = [];
  let release: (() => void) | undefined;
  product.sendInstead(async (sendRequest, url, sent) => {
    const isAwaited = sent?.method === 'POST' && url.endsWith('/check-runs');
    if (!isAwaited || release) return sendRequest(url, sent);
    await new Promise<void>((done) => {
      release = done;
    });
    const answer = await sendRequest(url, sent);
    order.push(answer.status);
    return answer;
  });
  await product.openPull();
  await until('the run to be created', () => release);

  const closing = jest.spyOn(Server.prototype, 'close');
  const killing = jest.spyOn(ChildProcess.prototype, 'kill');
  const stopped = product.stop().then(() => order.push('stopped'));
  await once(closing.mock.contexts[0] as Server, 'close');
  // The product would end its store in the same turn.
  await setImmediate();
  const early = [...order, ...killing.mock.calls];
  release?.();
  await stopped;
  expect([early, order]).toEqual([[], [201, 'stopped']]);
  expect(killing).toHaveBeenCalledWith('SIGTERM');
  expect(product.log.filter((line) => line.includes('webhook_failed'))).toEqual([]);
  jest.restoreAllMocks();
});
