import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { OrganizationAnswer } from '../../src/contract/organization.ts';
import type {
  BypassListsAnswer,
  OrganizationRepositoriesAnswer as Listed,
} from '../../src/contract/organization-health.ts';
import type { AcknowledgeStatement } from '../../src/contract/statement.ts';
import { listOf, orgOf, registerCodes, registerPasskey } from '../support/account.ts';
import { CodeApp, type SoftwareAuthenticator } from '../support/authenticator.ts';
import { confirmAddress, type Mailbox, mailboxOf } from '../support/mailbox.ts';
import { type OwnProduct, type Session, startTestProduct, until } from '../support/product.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp.ts';

const MINUTE = 60_000;
const SUBJECT = 'octo-org is less protected than before';
const RULESET = '/repos/octo-org/hello/rulesets/1';
const EVENTS = ['repository_ruleset', 'branch_protection_rule', 'branch_protection_configuration'];

let product: OwnProduct;
let server: SmtpServer;
let mailbox: Mailbox;
let mona: Session;
let octocat: Session;
let monasKey: SoftwareAuthenticator;
const octocatsApp = new CodeApp();
let ahead = 0;
const now = () => Date.now() + ahead;
const to = ({ login }: Session) => `${login}@inbox.example`;

const enforce = (enforcement: 'active' | 'disabled') => product.asAdmin('PUT', RULESET, { enforcement });
/** Lets the App read administration, and subscribes it to these events too, or no longer. */
async function subscribe(isOn: boolean) {
  const path = `/_local/installations/${product.github.facts.installation}`;
  const granted = await product.asAdmin<{ permissions: object; events: string[] }>('PUT', path, {});
  const others = granted.events.filter((event) => !EVENTS.includes(event));
  await product.asAdmin('PUT', path, {
    permissions: { ...granted.permissions, administration: 'read' },
    events: [...others, ...(isOn ? EVENTS : [])],
  });
}

const weakenings = async (session: Session) => {
  const answer = await product.call('/organization', { orgID: orgOf(product).orgID }, session);
  return answer.json<OrganizationAnswer>().weakenings ?? [];
};
const weakeningOf = (session: Session, kind: string) =>
  until(`a weakening of the kind ${kind}`, async () =>
    (await weakenings(session)).find(({ change }) => change.kind === kind),
  );

const logged = async () =>
  (await listOf(product, mona, 'gh_activities'))
    .filter(({ activity }) => /protection|Acknowledged/.test(String(activity)))
    .map(({ activity, data }) => {
      const { login = '', change } = data as { login?: string; change: { kind: string } };
      return `${activity} ${change.kind} ${login}`.trim();
    })
    .reverse();

const send = (path: string, session: Session, entry: number, proof: object = {}) =>
  product.call(path, { ...orgOf(product), entry, accessToken: session.accessToken, ...proof }, session);

async function sign(session: Session, entry: number) {
  const params = await send('/acknowledge-params', session, entry);
  if (params.status !== 200) return params;
  const { options, statement } = params.json<{ options: never; statement: AcknowledgeStatement }>();
  expect(statement).toMatchObject({ purpose: 'acknowledge', entry: { number: entry } });
  return send('/acknowledge', session, entry, { authResponse: monasKey.get(options) });
}

beforeAll(async () => {
  server = await startSmtpServer();
  mailbox = mailboxOf(server);
  product = await startTestProduct({
    clock: { now: () => new Date(now()) },
    env: { SMTP_URL: server.url, MAIL_FROM: 'OTP-Guard@inbox.example' },
    waits: { sendEveryMs: 100, gatherMs: 100, checkRepositoriesEveryMs: 300 },
    unlimited: true,
  });
  await product.firstRound;
  [mona, octocat] = await Promise.all([product.signIn('mona'), product.signIn('octocat')]);
  for (const session of [mona, octocat]) {
    await confirmAddress(product, session, mailbox, to(session));
    await mailbox.take(to(session), 'This address is confirmed');
  }
  monasKey = await registerPasskey(product, mona);
  await registerCodes(product, octocat, { app: octocatsApp, code: octocatsApp.codeAt(now()) });
  await subscribe(true);
});

afterAll(async () => {
  await product?.stop();
  await server?.close();
});

it('notices a new owner at a reconciliation, and lets the other one acknowledge it with a code', async () => {
  await product.asAdmin('PUT', '/orgs/octo-org/memberships/mona', { role: 'admin' });
  await product.reconcile();
  const { entry, by, text } = await weakeningOf(octocat, 'ownerAdded');
  expect([by, text]).toEqual([null, 'mona became an owner; GitHub didn’t say who did this.']);
  expect(await sign(mona, entry)).toMatchObject({ status: 403 });
  ahead += MINUTE;
  const otp = octocatsApp.codeAt(now());
  expect(await send('/acknowledge', octocat, entry, { otp })).toMatchObject({ status: 200, text: 'ok' });
  expect(await weakenings(octocat)).toEqual([]);
  const all = await logged();
  expect(all).toContain('protectionWeakened ownerAdded');
  expect(all.at(-1)).toBe('weakeningAcknowledged ownerAdded octocat');
  for (const session of [mona, octocat]) await mailbox.take(to(session), SUBJECT);
});

it('notices a disabled ruleset by its webhook: with a name, an e-mail to each owner, and another owner’s look', async () => {
  // The repository isn't due again within the time of this test.
  await enforce('disabled');
  const found = await weakeningOf(mona, 'ruleNotActive');
  expect(found).toMatchObject({ by: 'octocat', undone: null, refusal: null, isAlone: false });
  for (const session of [mona, octocat]) {
    const mail = await mailbox.take(to(session), SUBJECT);
    expect(mail.parsed.text?.replace(/\s+/g, ' ')).toMatch(/isn't enforced; octocat did this\./);
  }
  const { entry } = found;
  expect(await sign(octocat, entry)).toMatchObject({
    status: 403,
    text: 'You made this change. Ask mona to acknowledge it.',
  });
  expect(await sign(mona, entry)).toMatchObject({ status: 200, text: 'ok' });
  expect(await sign(mona, entry)).toMatchObject({ status: 409 });
  expect(await weakenings(mona)).toEqual([]);
});

it('notices it without a webhook, shows it as undone, and nothing new while nothing changes', async () => {
  await enforce('active');
  // No webhook is on its way any more that could name who disables it.
  await until('the strengthening', async () => (await logged()).at(-1)?.startsWith('protectionStr'));
  await subscribe(false);
  await enforce('disabled');
  ahead += 6 * MINUTE;
  expect(await weakeningOf(mona, 'ruleNotActive')).toMatchObject({ by: null, undone: null });
  await mailbox.take(to(mona), SUBJECT);
  await enforce('active');
  ahead += 6 * MINUTE;
  await until('the undone weakening', async () => (await weakenings(octocat))[0]?.undone);
  const all = await logged();
  expect(all.slice(-2)).toEqual(['protectionWeakened ruleNotActive', 'protectionStrengthened ruleNotActive']);
  const checked = async () => {
    const body = { orgID: orgOf(product).orgID, state: 'all' };
    const { repositories } = (await product.call('/organization-repositories', body, mona)).json<Listed>();
    return repositories[0]?.checked ?? '';
  };
  const before = await checked();
  ahead += 6 * MINUTE;
  await product.reconcile();
  await until('another reading', async () => (await checked()) > before);
  expect(await logged()).toEqual(all);
});

it('takes who may bypass from what gh printed for an owner, and says that it’s their word', async () => {
  const readAll = async () => {
    const body = { orgID: orgOf(product).orgID, state: 'all' };
    return (await product.call('/organization-repositories', body, mona)).json<Listed>();
  };
  const read = async () => (await readAll()).repositories.find(({ name }) => name === 'hello');
  await until('the first verdict', async () => (await read())?.bypass?.state === 'unknown');
  expect((await read())?.bypass?.hidden).toEqual([1]);
  // What gh api --jq '{id,updated_at,bypass_actors}|@json' prints.
  const { id, updated_at, bypass_actors } = await product.asAdmin<Record<string, unknown>>('GET', RULESET);
  const text = JSON.stringify({ bypass_actors, id, updated_at });
  const send = (body: object) => product.call('/bypass-lists', { ...orgOf(product), ...body }, octocat);
  expect(await send({ text: 'gh: Not Found (HTTP 404)' })).toMatchObject({
    status: 400,
    text: expect.stringMatching(/^Paste what the command printed/),
  });
  const sent = (await send({ text })).json<BypassListsAnswer>();
  expect(sent).toMatchObject({ filled: 1, repositories: [{ name: 'hello', bypass: { state: 'nobody' } }] });
  expect(await read()).toMatchObject({ bypass: { state: 'nobody' }, said: { login: 'octocat' } });
  expect((await readAll()).counts.bypass).toMatchObject({ nobody: 0, said: 1, unknown: 0 });
  const entries = await listOf(product, mona, 'gh_activities');
  expect(entries.find(({ activity }) => activity === 'protectionBaseline')?.data).toMatchObject({
    login: 'octocat',
    number: 1,
  });
  await product.asAdmin('PUT', RULESET, { name: 'Renamed' });
  ahead += 6 * MINUTE;
  await until('no verdict for the changed ruleset', async () => (await read())?.bypass?.state === 'unknown');
});

it('names the rule that a merge without an approval went around', async () => {
  const owners = { actor_type: 'OrganizationAdmin', actor_id: 1, bypass_mode: 'always' };
  await product.asAdmin('PUT', RULESET, { name: 'Protect main', bypass_actors: [owners] });
  const { number, title } = await product.pendingPull('Around the rule');
  await product.asAdmin('PUT', `/repos/octo-org/hello/pulls/${number}/merge`, {});
  const merge = await until(`the merge of ${title}`, async () =>
    (await listOf(product, mona, 'gh_activities')).find(({ activity }) => activity === 'unapprovedMerge'),
  );
  expect(merge.data).toMatchObject({ login: 'octocat', pr: number, rules: ['Protect main'] });
  const mail = await mailbox.take(to(mona), `octo-org/hello#${number} was merged without an approval`);
  expect(mail.parsed.text?.replace(/\s+/g, ' ')).toContain('It went around “Protect main”.');
});
