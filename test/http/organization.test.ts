import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InboxAnswer, type InboxTab, inboxTabs } from '../../src/contract/inbox.ts';
import type { OrganizationAnswer } from '../../src/contract/organization.ts';
import type { OrganizationHealth } from '../../src/contract/organization-health.ts';
import {
  asApp,
  fromElsewhere,
  hide,
  listed,
  otherOrgOf,
  ownRecord,
  registerPasskey,
} from '../support/account.ts';
import {
  type Answer,
  approveBy,
  type Pull,
  type Session,
  startTestProduct,
  type TestProduct,
  until,
} from '../support/product.ts';

const NOT_MEMBER = [403, "You aren't a member of this organization."];
const NOT_INSTALLED = [404, "OTP Guard isn't installed for this organization."];
const SUSPENDED = [403, 'OTP Guard is suspended for this organization. An owner can unsuspend it on GitHub.'];
const sentence = ({ status, text }: Answer) => [status, text];

describe('the home of an organization', () => {
  let product: TestProduct;
  let mona: Session;
  let octocat: Session;
  let hubot: Session;
  let orgID = 0;

  beforeAll(async () => {
    product = await startTestProduct({ env: { TRUST_PROXY: '1' }, unlimited: true });
    ({ orgID } = product.github.facts);
    [mona, octocat, hubot] = await Promise.all([
      product.signIn('mona'),
      product.signIn('octocat'),
      product.signIn('hubot'),
    ]);
  });

  afterAll(() => product?.stop());

  const home = (session: Partial<Session>, org: unknown = orgID) =>
    product.call('/organization', { orgID: org }, session, fromElsewhere());
  const members = (session: Partial<Session>, change: object = {}) =>
    product.call('/organization-members', { orgID, state: 'all', ...change }, session, fromElsewhere());
  const shown = async (session = octocat, org: unknown = orgID) => {
    const answer = await home(session, org);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    return answer.json<OrganizationAnswer>();
  };
  const waiting = async () => (await shown()).waiting ?? { total: -1, pulls: [] };
  const isWaiting = async (pull: Pull) => (await waiting()).pulls.some(({ pr }) => pr === pull.number);
  const comes = (pull: Pull) => until('the pull request in the list', () => isWaiting(pull));
  const goes = (pull: Pull) => until('its end', async () => !(await isWaiting(pull)));

  it('shows its members what the App is installed on, and only owners how many members have an authenticator', async () => {
    const { installation } = product.github.facts;
    const home = { id: orgID, name: 'octo-org', installation: { id: installation, suspended: false } };
    const nothing = { members: null, protection: null, waiting: null };
    expect(await shown(mona)).toMatchObject({ ...home, role: 'member', ...nothing });
    await until('the members', async () => (await shown()).members?.asOf);
    const members = { total: 2, enrolled: 0, reachable: 0, unreachable: 2, sendsMail: false };
    expect(await shown()).toMatchObject({ ...home, role: 'admin', members });
    // An owner of both sees the requested one.
    const other = await shown(octocat, otherOrgOf(product).orgID);
    const more = { members: { total: 2 }, waiting: { total: 0, pulls: [] } };
    expect(other).toMatchObject({ name: 'other-org', role: 'admin', ...more });
  });

  it('has a security image that an owner sets, which is logged and visible only to members', async () => {
    const image = {
      name: 'abcDEF123ghiJKL456mn',
      colors: ['#69d2e7', '#A7DBD8', '#e0e4cc', '#f38630', '#fa6900'],
      variant: 'marble',
    };
    const seenBy = async (session: Partial<Session>) =>
      (await listed(product, session, 'organizations')).items.find(({ org_id }) => org_id === orgID)?.image;
    expect(await seenBy(mona)).toBeNull();
    const answer = await product.call('/github-set-image', { orgID, image }, octocat);
    expect([answer.status, answer.json()]).toEqual([200, { image }]);
    expect([await seenBy(octocat), await seenBy(mona)]).toEqual([image, image]);
    expect([await seenBy(hubot), await seenBy({})]).toEqual([undefined, undefined]);
    const logged = { activity: 'setOrgImage', data: { login: 'octocat' }, user_id: octocat.record.id };
    expect((await listed(product, mona, 'gh_activities')).items).toMatchObject([logged]);
    expect((await listed(product, hubot, 'gh_activities')).items).toEqual([]);
    // A form, which stores only the members of an image.
    const text = JSON.stringify({ ...image, script: '<script>', note: [] });
    const body = new URLSearchParams({ orgID: '0', image: text }).toString();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await product.call('/personal-set-image', body, mona, form)).json()).toEqual({ image });
    expect((await ownRecord(product, mona)).image).toEqual(image);
  });

  const health = async (change: object = {}) => {
    const answer = await product.call('/organization-health', { orgID, ...change }, octocat);
    return answer.json<OrganizationHealth>();
  };

  it('has a health page with what to do next, and a ruleset that counts as requiring the check once imported', async () => {
    const { permissions, repositories, next, rulesets } = await health();
    expect([permissions.missing, permissions.settingsUrl, next]).toEqual([
      [],
      expect.stringMatching(/^http/),
      null,
    ]);
    const { origin } = product.github;
    const hello = {
      name: 'hello',
      defaultBranch: 'main',
      rulesUrl: `${origin}/octo-org/hello/settings/rules`,
    };
    expect(repositories).toContainEqual(expect.objectContaining(hello));
    type Rules = { rules: [{ parameters: { required_status_checks: object[] } }] };
    const { required_status_checks } = (rulesets.repository as Rules).rules[0].parameters;
    await product.asAdmin('PUT', '/_local/rules/octo-org/hello/main', { required_status_checks });
    const again = await health({ again: 'true' });
    expect(again.repositories.find(({ name }) => name === 'hello')?.required).toBe('thisApp');
    expect((await health({ after: 'zzzz' })).repositories).toEqual([]);
  });

  it('lists waiting pull requests with the link of their check runs, the longest waiting first, until they’re approved or closed', async () => {
    const titles = ['One', 'Two <b>&amp;</b> 鍵'];
    const pulls: Pull[] = [];
    for (const title of titles) {
      const pull = await product.pendingPull(title);
      await comes(pull);
      pulls.push(pull);
    }
    const [approved, closed] = pulls as [Pull, Pull];
    const { total, pulls: found } = await waiting();
    expect(total).toBe(found.length);
    const ours = found.filter(({ title }) => titles.includes(title));
    expect(ours.map(({ pr, title }) => [pr, title])).toEqual(
      pulls.map(({ number }, at) => [number, titles[at]]),
    );
    const [run] = await product.runs(approved.head.sha);
    // The check run's link also knows the commit that the head is compared with.
    const withoutChanges = (link: string) => link.replace(/&headURL=[^&]*/, '');
    expect(withoutChanges(run?.details_url ?? '')).toBe(
      withoutChanges(`${product.origin}${ours[0]?.approval}`),
    );
    const key = await registerPasskey(product, mona);
    expect((await approveBy(product, mona, key, approved)).status).toBe(200);
    await goes(approved);
    // It waits since it got its new head, not since it was opened.
    await product.asAdmin('PUT', `/repos/octo-org/hello/pulls/${approved.number}/update-branch`, {});
    await comes(approved);
    const last = (await waiting()).pulls.at(-1);
    expect([last?.pr, last?.head === approved.head.sha]).toEqual([approved.number, false]);
    for (const pull of [approved, closed]) {
      await product.asAdmin('PATCH', `/repos/octo-org/hello/pulls/${pull.number}`, { state: 'closed' });
      await goes(pull);
    }
  });

  it('is followed by an inbox: a person’s own, with nothing that GitHub doesn’t show to them', async () => {
    const { facts } = product.github;
    const pull = await product.openPull('In the inbox');
    await comes(pull);
    const inbox = (session: Session, by = session, tab: InboxTab = 'for-you') =>
      product.call('/inbox', { accessToken: by.accessToken, tab }, session);
    const shownTo = async (login: string) => {
      // A new token: what GitHub shows to one is remembered for minutes.
      const session = await product.signIn(login);
      const answers = await Promise.all(inboxTabs.map((tab) => inbox(session, session, tab)));
      const pulls = answers.flatMap((answer) => answer.json<InboxAnswer>().pulls);
      return pulls.find(({ pr }) => pr === pull.number) ?? null;
    };
    const [expected] = (await waiting()).pulls.filter(({ pr }) => pr === pull.number);
    expect(await shownTo('mona')).toMatchObject({
      ...expected,
      org: { id: orgID, name: facts.org, installation: facts.installation },
      asked: null,
    });
    const hello = `/repos/${facts.org}/hello`;
    await product.asAdmin('POST', `${hello}/pulls/${pull.number}/requested_reviewers`, {
      reviewers: ['mona'],
    });
    await until('the request of a review', async () => (await shownTo('mona'))?.asked === 'review');
    expect((await shownTo('octocat'))?.asked).toBeNull();
    expect([await shownTo('hubot'), (await inbox(mona, octocat)).status]).toEqual([null, 403]);
    await hide(product, true);
    expect([await shownTo('mona'), (await shownTo('octocat'))?.pr]).toEqual([null, pull.number]);
    await hide(product, false);
    await product.asAdmin('PATCH', `${hello}/pulls/${pull.number}`, { state: 'closed' });
    await goes(pull);
  });

  it('says that the App is suspended and shows nothing else, is back with the App, and ends with it', async () => {
    const { installation, otherOrgID } = product.github.facts;
    const isSuspended = { installation: { suspended: true }, members: null, waiting: null };
    await asApp(product, 'PUT', `/app/installations/${installation}/suspended`);
    await until('the suspension', async () => (await members(octocat)).text === SUSPENDED[1]);
    expect(await shown(octocat)).toMatchObject({ role: 'admin', ...isSuspended });
    expect(await shown(mona)).toMatchObject({ role: 'member', ...isSuspended });
    expect(sentence(await home(hubot))).toEqual(NOT_MEMBER);
    expect(sentence(await members(mona))).toEqual(SUSPENDED);
    await asApp(product, 'DELETE', `/app/installations/${installation}/suspended`);
    await until('the end of it', async () => (await members(octocat)).status === 200);
    expect(await shown(octocat)).toMatchObject({ installation: { suspended: false }, members: { total: 2 } });
    await asApp(product, 'DELETE', `/app/installations/${installation}`);
    await until('its end', async () => (await home(octocat)).status === 404);
    for (const session of [octocat, mona, hubot])
      expect([await home(session), await members(session)].map(sentence)).toEqual([
        NOT_INSTALLED,
        NOT_INSTALLED,
      ]);
    // The other organization has nothing to do with it.
    expect((await home(octocat, otherOrgID)).status).toBe(200);
  });
});
