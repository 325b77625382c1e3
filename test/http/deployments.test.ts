import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { audit } from '../../src/cli/audit.ts';
import { verify } from '../../src/cli/verify.ts';
import type { ReceiptsAnswer, ReceiptsExport } from '../../src/contract/receipts.ts';
import { listOf, proofBy, registerCodes, registerKey, registerPasskey } from '../support/account.ts';
import { CodeApp, type SoftwareAuthenticator } from '../support/authenticator.ts';
import {
  approvalOptions,
  approveBy,
  type OwnProduct,
  type Session,
  startTestProduct,
  targetOf,
  until,
} from '../support/product.ts';
import {
  decideBy,
  deployParams,
  jobsOf,
  type Run,
  release,
  reviewsOf,
  runOf,
  statesOf,
  waitingRelease,
} from '../support/release.ts';
import { runHere } from '../support/run-here.ts';

describe('a release that waits for a person', () => {
  let product: OwnProduct;
  let mona: Session;
  let octocat: Session;
  let key: SoftwareAuthenticator;
  let ahead = 0;
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-'));
  let byMona: { session: Session; key: SoftwareAuthenticator };

  beforeAll(async () => {
    product = await startTestProduct({
      isGating: true,
      waits: { retryEveryMs: 500 },
      clock: { now: () => new Date(Date.now() + ahead) },
    });
    [mona, octocat] = await Promise.all([product.signIn('mona'), product.signIn('octocat')]);
    key = await registerPasskey(product, mona);
    byMona = { session: mona, key };
  });

  afterEach(() => {
    ahead = 0;
  });
  afterAll(async () => {
    await product?.stop();
    rmSync(folder, { recursive: true });
  });

  it('says what it waits for, and one touch starts the jobs of both waves', async () => {
    const run = await release(product);
    const target = await waitingRelease(product, run);
    const [status] = await reviewsOf(product, run);
    const link = `${product.origin}/deploy?owner=octo-org&ownerID=${target.ownerID}&installation=${target.installation}&repo=hello&run=${run.id}&environment=release`;
    expect(status?.comment).toBe(
      `[Approve or reject it in OTP Guard](${link}). Needs 1 approval from any member\\.`,
    );
    expect(await jobsOf(product, run)).toContain('Publish to npm: waiting');

    const { params } = await deployParams(product, mona, target);
    expect(params).toMatchObject({
      statement: {
        purpose: 'deploy',
        user: { login: 'mona' },
        repo: { name: 'octo-org/hello' },
        environment: 'release',
        run: run.id,
        attempt: 1,
        head: run.head_sha,
        ref: 'main',
        event: 'workflow_dispatch',
        workflow: '.github/workflows/release.yml',
      },
      deployment: { state: 'waiting', startedBy: { login: 'octocat' }, decisions: [], pull: null },
      passed: false,
      refusal: null,
    });
    const answer = await decideBy(product, byMona, target);
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        redirect: `${product.github.origin}/octo-org/hello/actions/runs/${run.id}`,
        reported: true,
        passed: true,
        needs: null,
      },
    ]);
    await until('the second wave', async () => (await runOf(product, run)).status === 'completed');
    expect(await runOf(product, run)).toMatchObject({ conclusion: 'success' });
    expect(await statesOf(product, run)).toEqual(['pending', 'approved', 'approved']);
    expect((await reviewsOf(product, run)).at(-1)?.comment).toMatch(
      /^Approved by @mona with a passkey in \[OTP Guard\]/,
    );
    const entries = await listOf(product, octocat, 'gh_activities');
    expect(entries.find(({ activity }) => activity === 'webauthnDeploy')).toMatchObject({
      data: { login: 'mona', environment: 'release', run: run.id, sha: run.head_sha, repo: 'hello' },
    });
    expect((await decideBy(product, byMona, target)).text).toBe(
      'This deployment no longer waits for a decision.',
    );
  });

  it('has a receipt for each decision, which otp-guard verify takes for nothing else', async () => {
    const run = await release(product);
    const target = await waitingRelease(product, run);
    expect(
      (await decideBy(product, byMona, target, { decision: 'reject', reason: 'Not *now*' })).status,
    ).toBe(200);
    const commits = [run.head_sha];
    const orgID = target.ownerID;
    const body = { orgID, repo: 'hello', commits, accessToken: octocat.accessToken };
    const answer = await product.call('/receipts-export', body, octocat);
    const { receipts, without } = answer.json<ReceiptsExport>();
    // The commit came in by a pull request, which this release doesn't approve.
    expect(without).toEqual([
      { commit: run.head_sha, why: expect.stringMatching(/^Nobody approved .*#1\.$/) },
    ]);
    const keys = await (await fetch(`${product.origin}/.well-known/otp-guard.json`)).json();
    const log = await product.call('/log-export', { orgID, accessToken: octocat.accessToken }, octocat);
    const files = {
      ...{ 'keys.json': keys, 'approved.json': receipts[0], 'all.json': { receipts } },
      'export.json': log.json(),
    };
    for (const [name, value] of Object.entries(files))
      writeFileSync(join(folder, name), JSON.stringify(value));
    const inFolder = (command: () => Promise<number>) => {
      const work = async () => {
        process.exitCode = await command();
      };
      return runHere(work, { folder });
    };
    const KEYS = { keys: 'keys.json' };
    const approved = await inFolder(() => verify('approved.json', KEYS));
    expect([approved.code, approved.out]).toEqual([
      0,
      expect.stringMatching(
        /signed exactly the deployment of commit [0-9a-f]{40} of octo-org\/hello to release by run \d+, attempt 1 \(\.github\/workflows\/release\.yml, on main\), with a fingerprint/,
      ),
    ]);
    const all = await inFolder(() => verify('all.json', KEYS));
    expect([all.code, all.out]).toEqual([4, expect.stringContaining('Its reason: “Not *now*”')]);
    const checkpoint = ['approved.json'];
    const audited = await runHere(() => audit(['export.json'], { ...KEYS, checkpoint }, {}), { folder });
    expect([audited.code, audited.out]).toEqual([
      0,
      expect.stringContaining('proved   witness: 1 checkpoint'),
    ]);
    const { proofs } = (
      await product.call('/receipts', { ...target, head: run.head_sha, owner: 'octo-org' }, mona)
    ).json<ReceiptsAnswer>();
    const deployment = { environment: 'release', run: run.id, attempt: 1 };
    expect(proofs[0]).toMatchObject({ deployment, reason: 'Not *now*', pr: 0 });
  });

  it('waits again after a re-run', async () => {
    const run = await release(product);
    const target = await waitingRelease(product, run);
    const { params } = await deployParams(product, mona, target);
    const assertion = key.get(params.options);
    await product.asAdmin('POST', `/repos/octo-org/hello/actions/runs/${run.id}/cancel`);
    await product.asAdmin('POST', `/repos/octo-org/hello/actions/runs/${run.id}/rerun`);
    await until('the second attempt', async () =>
      (await jobsOf(product, run)).includes('Publish to npm: waiting'),
    );
    await until('its request', async () => (await deployParams(product, mona, target)).status === 200);
    const body = { params: target, authResponse: assertion, accessToken: mona.accessToken };
    expect((await product.call('/deploy-check', body, mona)).status).toBe(409);
    expect(await jobsOf(product, run)).toContain('Publish to npm: waiting');
    expect((await decideBy(product, byMona, target)).status).toBe(200);
    await until('the end', async () => (await runOf(product, run)).conclusion === 'success');
  });

  it('fails when a person rejects it with the reason that they signed', async () => {
    const run = await release(product);
    const target = await waitingRelease(product, run);
    const reason = 'Not on a *Friday*';
    const rejected = { decision: 'reject', reason };
    const other = await decideBy(product, byMona, target, rejected, {
      decision: 'reject',
      reason: 'Another',
    });
    expect(other.status).toBe(403);
    const asApproval = await decideBy(product, byMona, target, rejected, {});
    expect(asApproval.status).toBe(403);
    expect(await statesOf(product, run)).toEqual(['pending']);
    // GitHub takes it, and its answer is lost.
    await product.asAdmin('POST', '/_local/repos/octo-org/hello/actions/unkind', { lostReviews: 1 });
    const answer = await decideBy(product, byMona, target, rejected);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.json()).toMatchObject({ reported: false });
    const state = async () => (await deployParams(product, mona, target)).params.deployment.state;
    await until('the rejection', async () => (await state()) === 'rejected');
    const [, review] = await reviewsOf(product, run);
    expect(review?.state).toBe('rejected');
    expect(review?.comment).toMatch(/: Not on a \\\*Friday\\\*$/);
    await until('the end', async () => (await runOf(product, run)).conclusion === 'failure');
  });

  it('is approved once if both jobs ask at the same moment, after an outage, and by a one-time code', async () => {
    const app = new CodeApp();
    const stepUp = await proofBy(product, mona, key, { type: 'register-authenticator' });
    expect((await registerCodes(product, mona, { app, code: app.codeAt(Date.now()), stepUp })).status).toBe(
      200,
    );
    const run = await release(product);
    const target = await waitingRelease(product, run);
    const { params } = await deployParams(product, mona, { ...target, type: 'totp' });
    const by = (attempt: number) =>
      product.call(
        '/deploy-check',
        {
          params: { ...target, attempt },
          otp: app.codeAt(Date.now() + 30_000),
          accessToken: mona.accessToken,
        },
        mona,
      );
    expect((await by(2)).text).toBe(
      'This run was started again. Look at it before you approve or reject it.',
    );
    await product.asAdmin('POST', '/_local/repos/octo-org/hello/actions/unkind', { reviews: 1 });
    expect((await by(params.statement.attempt)).status).toBe(200);
    await until('the end', async () => (await runOf(product, run)).conclusion === 'success');
    expect(await statesOf(product, run)).toEqual(['pending', 'approved', 'approved']);
  });

  it('of a fork’s commit is refused, and one that an administrator starts is found', async () => {
    const { full_name: fork } = await product.asAdmin<{ full_name: string }>(
      'POST',
      '/repos/octo-org/hello/forks',
      {},
    );
    const path = `/repos/${fork}/contents/.github/workflows/release.yml`;
    const content = Buffer.from('on: pull_request\njobs: { publish: { environment: release } }\n').toString(
      'base64',
    );
    const body = { message: 'Publish', content, branch: 'main' };
    const { commit } = await product.asAdmin<{ commit: { sha: string } }>('PUT', path, body);
    const from = { head_sha: commit.sha, head_repository: fork };
    const start = { event: 'pull_request', ref: 'main', ...from };
    const ofFork = await product.asAdmin<Run>('POST', '/_local/repos/octo-org/hello/actions/runs', start);
    await until('the refusal', async () => (await statesOf(product, ofFork)).includes('rejected'));
    expect((await reviewsOf(product, ofFork))[0]?.comment).toMatch(
      /^OTP Guard refused this: the commit comes from a fork/,
    );

    const run = await release(product);
    await waitingRelease(product, run);
    await product.asAdmin('POST', `/_local/repos/octo-org/hello/actions/runs/${run.id}/start-waiting`, {});
    const logged = async () =>
      (await listOf(product, octocat, 'gh_activities')).map(
        ({ activity, data }) => `${activity} ${(data as { run?: number }).run}`,
      );
    await until('the bypass', async () => {
      // The request of the next wave may just have come.
      ahead += 60_000;
      await product.reconcile();
      return (await logged()).includes(`deployBypass ${run.id}`);
    });
    expect(await logged()).toContain(`deployRefuse ${ofFork.id}`);
  });

  it('tells a start around its rule from what GitHub’s own reviewers let start', async () => {
    const path = '/repos/octo-org/hello/environments/release';
    const { id } = await product.asAdmin<{ id: number }>('GET', '/users/octocat');
    const { id: environment } = await product.asAdmin<{ id: number }>('PUT', path, {
      reviewers: [{ type: 'User', id }],
    });
    const pathOf = (run: Run) => `/repos/octo-org/hello/actions/runs/${run.id}`;
    const review = (run: Run) =>
      product.asAdmin('POST', `${pathOf(run)}/pending_deployments`, {
        ...{ environment_ids: [environment], state: 'approved', comment: 'Fine' },
      });
    const [approved, ended, started] = [
      await release(product),
      await release(product),
      await release(product),
    ];
    const target = await waitingRelease(product, approved);
    for (const run of [ended, started]) await waitingRelease(product, run);
    expect((await decideBy(product, byMona, target)).json()).toMatchObject({ reported: true, passed: true });
    expect(await jobsOf(product, approved)).toContain('Publish to npm: waiting');
    for (const run of [approved, ended, started]) await review(run);
    await product.asAdmin('POST', `/_local${pathOf(ended)}/expire`);
    await product.asAdmin('POST', `/_local${pathOf(started)}/start-waiting`, {});
    await until('the second wave', async () => (await statesOf(product, approved)).length === 4);

    ahead += 60_000;
    await product.reconcile();
    await product.asAdmin('PUT', path, { reviewers: null });
    const found = (await listOf(product, octocat, 'gh_activities')).filter(
      ({ activity }) => activity === 'deployBypass',
    );
    const runs = found.map(({ data }) => (data as { run?: number }).run);
    expect([approved, ended, started].map(({ id: run }) => runs.includes(run))).toEqual([false, false, true]);
  });

  it('says which permission it lacks, and reviews once an owner has granted it again', async () => {
    const path = `/_local/installations/${product.github.facts.installation}`;
    type Access = { permissions: Record<string, string> };
    const { permissions } = await product.asAdmin<Access>('PUT', path, {});
    const run = await release(product);
    const target = await waitingRelease(product, run);
    await product.asAdmin('PUT', path, { permissions: { ...permissions, deployments: 'read' } });
    const answer = await decideBy(product, byMona, target);
    const needs = expect.stringMatching(/^OTP Guard lacks a permission on GitHub for this/);
    expect([answer.status, answer.json()]).toMatchObject([200, { passed: false, reported: false, needs }]);
    expect(await statesOf(product, run)).toEqual(['pending']);
    await product.asAdmin('PUT', path, { permissions });
    await until('the end', async () => (await runOf(product, run)).conclusion === 'success');
  });

  it('is one deployment if its workflow spells the environment in several ways', async () => {
    const hello = '/repos/octo-org/hello';
    const path = `${hello}/contents/.github/workflows/release.yml`;
    const { sha } = await product.asAdmin<{ sha: string }>('GET', path);
    const { head_sha: main } = await release(product);
    await product.asAdmin('POST', `${hello}/git/refs`, { ref: 'refs/heads/spelled', sha: main });
    const jobs = ['RELEASE', 'Release', 'release'].map((name) => `  ${name}: { environment: ${name} }\n`);
    const file = `on: workflow_dispatch\njobs:\n${jobs.join('')}  last: { needs: release, environment: Release }\n`;
    const content = Buffer.from(file).toString('base64');
    await product.asAdmin('PUT', path, { message: 'Spell it', content, sha, branch: 'spelled' });
    const run = await release(product, 'spelled');
    const target = await waitingRelease(product, run);
    const url = await deployParams(product, mona, target).then(({ params }) => params.statement.environment);
    expect((await decideBy(product, byMona, { ...target, environment: url })).status).toBe(200);
    await until('the end', async () => (await runOf(product, run)).conclusion === 'success');
    expect(await statesOf(product, run)).toEqual(['pending', 'approved', 'approved']);
  });

  it('starts once if GitHub answers late, and asks late, twice and in another order', async () => {
    const unkind = (change: object) =>
      product.asAdmin('POST', '/_local/repos/octo-org/hello/actions/unkind', change);
    const ms = 1_000;
    await unkind({ holdsRequests: true, lagMs: { runs: ms, pending: ms, approvals: ms } });
    const [one, other] = [await release(product), await release(product)];
    await unkind({ holdsRequests: false });
    for (const run of [one, other]) {
      const target = await waitingRelease(product, run);
      await until('the run', async () => (await decideBy(product, byMona, target)).status === 200);
      await until('the end', async () => (await runOf(product, run)).conclusion === 'success');
      expect(await statesOf(product, run)).toEqual(['pending', 'approved', 'approved']);
    }
    await unkind({ lagMs: { runs: 0, pending: 0, approvals: 0 } });
  });

  it('counts for no pull request with the same commit, nor for its statistics, and neither the other way round', async () => {
    const pull = await product.pendingPull('A release');
    const head = pull.head.sha;
    const ref = pull.head.ref;
    const run = await release(product, ref);
    const target = await waitingRelease(product, run);
    expect((await decideBy(product, byMona, target)).status).toBe(200);
    await until('the end', async () => (await runOf(product, run)).conclusion === 'success');
    const options = await approvalOptions(product, mona, targetOf(product, pull));
    expect(options).toMatchObject({
      passed: false,
      yourApproval: null,
      story: { approvals: [], denials: [] },
    });
    const [check] = await product.runs(head);
    expect(check?.status).toBe('in_progress');
    const receipts = await product.call('/receipts', { ...targetOf(product, pull) }, mona);
    expect(receipts.json<{ receipts: unknown[] }>().receipts).toEqual([]);

    expect((await approveBy(product, mona, key, pull)).status).toBe(200);
    const again = await release(product, ref);
    await waitingRelease(product, again);
    expect(await jobsOf(product, again)).toContain('Publish to npm: waiting');
  });

  it('waits again for the jobs of a later wave whose approval was withdrawn with a lost key', async () => {
    const lost = await registerKey(product, octocat);
    const run = await release(product);
    const target = await waitingRelease(product, run);
    const { id } = lost.json<{ id: string }>();
    await product.asAdmin('POST', '/_local/repos/octo-org/hello/actions/unkind', { reviews: 1 });
    const since = new Date().toISOString();
    const given = await decideBy(product, { session: octocat, key: lost.key }, target);
    const stepUp = await proofBy(product, octocat, lost.key, {
      type: 'delete-authenticator',
      authenticatorID: id,
    });
    expect(given.status).toBe(200);
    expect((await product.remove('webauthn', id, octocat, stepUp, since)).status).toBe(204);
    const entries = await listOf(product, octocat, 'gh_activities');
    expect(entries.find(({ activity }) => activity === 'approvalWithdraw')).toMatchObject({
      data: { run: run.id, environment: 'release' },
    });
    const withdrawn = { ...target, head: run.head_sha };
    const { proofs } = (await product.call('/receipts', withdrawn, octocat)).json<ReceiptsAnswer>();
    expect(proofs.find(({ deployment }) => deployment?.run === run.id)).toMatchObject({
      ...{ login: 'octocat', reason: null, withdrawn: expect.any(String) },
    });
  });
});
