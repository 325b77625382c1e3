import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OrganizationRepositoriesAnswer as Listed } from '../../src/contract/organization-health.ts';
import { asApp, listOf, orgOf, registerPasskey } from '../support/account.ts';
import type { SoftwareAuthenticator } from '../support/authenticator.ts';
import {
  approveByKey,
  type OwnProduct,
  type Pull,
  type Run,
  type Session,
  startTestProduct,
  until,
} from '../support/product.ts';
import { send } from '../support/send.ts';

// Another App writes runs on the same commits, also of our check's name. It may do so, and GitHub tells us of each.

const REPO = '/repos/octo-org/hello';
const RUNS = `${REPO}/check-runs`;
const RULESET = `${REPO}/rulesets/1`;
const OURS = 'OTP Guard';
const FORGED = "GitHub showed a green check that OTP Guard didn't give";
const METRICS_TOKEN = 'the-token-of-the-monitor';

let product: OwnProduct;
let mona: Session;
let octocat: Session;
let key: SoftwareAuthenticator;
let theirToken: string;
let ahead = 0;

beforeAll(async () => {
  product = await startTestProduct({
    clock: { now: () => new Date(Date.now() + ahead) },
    env: { METRICS_TOKEN },
    waits: { checkRepositoriesEveryMs: 300 },
    unlimited: true,
  });
  await product.firstRound;
  [mona, octocat] = await Promise.all([product.signIn('mona'), product.signIn('octocat')]);
  key = await registerPasskey(product, mona);
  const path = '/_local/organizations/octo-org/installations';
  const app = { app_slug: 'impostor', permissions: { checks: 'write' } };
  const { id } = await product.asAdmin<{ id: number }>('POST', path, app);
  theirToken = (await product.asAdmin<{ token: string }>('POST', `${path}/${id}/tokens`)).token;
});
afterAll(() => product?.stop());

/** Sends a request as the other App; throws if GitHub refuses it. */
async function asOther(method: string, path: string, body: object): Promise<Run> {
  const headers = { authorization: `Bearer ${theirToken}`, 'content-type': 'application/json' };
  const answer = await send(`${product.github.origin}${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
  });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return JSON.parse(answer.text);
}
const SUCCESS = { status: 'completed', conclusion: 'success' };
const FAILURE = { status: 'completed', conclusion: 'failure' };
const writeTheirs = (pull: Pull, values: object) =>
  asOther('POST', RUNS, { name: OURS, head_sha: pull.head.sha, ...values });

/** The product's requests about the pull request's head, and its changes of any run, from now on. */
function noteRequests({ head }: Pull): string[] {
  const asked: string[] = [];
  product.sendInstead((sendRequest, url, sent) => {
    if (sent?.method === 'PATCH' || `${url} ${sent?.body ?? ''}`.includes(head.sha))
      asked.push(`${sent?.method} ${url}`);
    return sendRequest(url, sent);
  });
  return asked;
}

const merge = ({ number }: Pull) => product.asAdmin('PUT', `${REPO}/pulls/${number}/merge`, {});

const entriesOf = async (activity: string) =>
  (await listOf(product, mona, 'gh_activities')).filter((entry) => entry.activity === activity);

it('leaves our verdict alone if another App writes a newer run with our check’s name', async () => {
  const pull = await product.pendingPull();
  const before = await product.runs(pull.head.sha);
  await writeTheirs(pull, SUCCESS);
  const asked = noteRequests(pull);
  await product.reconcile();
  product.sendInstead(null);
  // The query shows our run only: otherwise they'd differ, and each head would be read on its own.
  expect(asked).toEqual([]);
  expect(await product.runs(pull.head.sha)).toEqual(before);
  await expect(merge(pull)).rejects.toThrow('Required status check \\"OTP Guard\\" is expected.');

  await approveByKey(product, mona, key, pull);
  await writeTheirs(pull, FAILURE);
  const approved = await product.runs(pull.head.sha);
  expect(approved).toMatchObject([{ ...SUCCESS, id: before[0]?.id }]);
  await product.reconcile();
  expect(await product.runs(pull.head.sha)).toEqual(approved);
  await merge(pull);
  expect(product.log.join('')).not.toContain(FORGED);
});

it('costs no request to GitHub and no work of ours', async () => {
  const pull = await product.pendingPull();
  /** The last deliveries, newest first. */
  const deliveries = () =>
    asApp<{ id: number; event: string; status_code: number }[]>(
      product,
      'GET',
      '/app/hook/deliveries?per_page=100',
    );
  const countOf = async (event: string, outcome: string) => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const { text } = await send(`${product.origin}/metrics`, { headers });
    const labels = `event="${event}",outcome="${outcome}"`;
    return Number(text.split(`otp_guard_webhooks_total{${labels}} `)[1]?.split('\n')[0] ?? 0);
  };
  await until('the webhooks of our own run', async () => {
    const [before] = await deliveries();
    await delay(300);
    return (await deliveries())[0]?.id === before?.id;
  });
  const [last] = await deliveries();
  const counts = () =>
    Promise.all([
      countOf('check_run', 'ignored'),
      countOf('check_suite', 'ignored'),
      countOf('check_suite', 'done'),
    ]);
  const [runs, suites, done] = await counts();
  const asked = noteRequests(pull);
  const COUNT = 10;
  for (let number = 0; number < COUNT; number += 1) {
    const run = await writeTheirs(pull, { name: `job ${number}`, status: 'queued' });
    await asOther('PATCH', `${RUNS}/${run.id}`, FAILURE);
  }
  // A run is created and completes, and with it, its suite.
  const sent = await until('their webhooks', async () => {
    const all = (await deliveries()).filter(({ id, event }) => id > (last?.id ?? 0) && /^check_/.test(event));
    return all.length >= 3 * COUNT && all;
  });
  product.sendInstead(null);
  expect(new Set(sent.map(({ status_code }) => status_code))).toEqual(new Set([202]));
  expect(asked).toEqual([]);
  expect(await counts()).toEqual([runs + 2 * COUNT, suites + COUNT, done]);
});

it('lets a pull request merge where the rule names no App, and we say so before and after', async () => {
  type Rule = { type: string; parameters: object };
  const { rules } = await product.asAdmin<{ rules: Rule[] }>('GET', RULESET);
  const checks = { strict_required_status_checks_policy: false, required_status_checks: [{ context: OURS }] };
  const unbound = rules.map((rule) =>
    rule.type === 'required_status_checks' ? { ...rule, parameters: checks } : rule,
  );
  await product.asAdmin('PUT', RULESET, { rules: unbound });
  ahead += 6 * 60_000;
  await until('the weakening', async () => (await entriesOf('protectionWeakened'))[0]);
  const [weakened] = await entriesOf('protectionWeakened');
  expect(weakened?.data).toMatchObject({ change: { kind: 'checkFromAnySource' } });
  const body = { orgID: orgOf(product).orgID, state: 'anySource' };
  const { repositories } = (await product.call('/organization-repositories', body, octocat)).json<Listed>();
  expect(repositories.map(({ name }) => name)).toEqual(['hello']);

  const pull = await product.pendingPull();
  await writeTheirs(pull, SUCCESS);
  await merge(pull);
  const entry = await until('the entry', async () => (await entriesOf('unapprovedMerge'))[0]);
  expect(entry?.data).toMatchObject({ pr: pull.number, login: 'octocat' });
  expect(product.log.join('')).not.toContain(FORGED);
});
