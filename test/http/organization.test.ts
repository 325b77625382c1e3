import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InboxAnswer, type InboxTab, inboxTabs } from '../../src/contract/inbox.ts';
import type { OrganizationHealth } from '../../src/contract/organization-health.ts';
import { hide, listed, ownRecord } from '../support/account.ts';
import { type Session, startTestProduct, type TestProduct, until } from '../support/product.ts';

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

  it('has a security image that an owner sets, which is logged and visible only to members', async () => {
    const image = {
      name: 'abcDEF123ghiJKL456mn',
      colors: ['#69d2e7', '#A7DBD8', '#e0e4cc', '#f38630', '#fa6900'],
      variant: 'marble',
    };
    const seenBy = async (session: Session) =>
      (await listed(product, session, 'organizations')).items.find(({ org_id }) => org_id === orgID)?.image;
    const answer = await product.call('/github-set-image', { orgID, image }, octocat);
    expect([answer.status, answer.json()]).toEqual([200, { image }]);
    expect([await seenBy(mona), await seenBy(hubot)]).toEqual([image, undefined]);
    const logged = { activity: 'setOrgImage', data: { login: 'octocat' }, user_id: octocat.record.id };
    expect((await listed(product, mona, 'gh_activities')).items).toMatchObject([logged]);
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
    const require = (required_status_checks: object[]) =>
      product.asAdmin('PUT', '/_local/rules/octo-org/hello/main', { required_status_checks });
    await require([]);
    const { permissions, counts, rulesets } = await health({ again: true });
    expect([permissions.missing, permissions.settingsUrl]).toEqual([[], expect.stringMatching(/^http/)]);
    expect(counts).toMatchObject({ protected: 0, unchecked: 0 });
    type Rules = { rules: [{ parameters: { required_status_checks: object[] } }] };
    await require((rulesets.repository as Rules).rules[0].parameters.required_status_checks);
    expect((await health({ again: 'true' })).counts).toMatchObject({ protected: 1, unchecked: 0 });
  });

  it('is followed by an inbox: a person’s own, with nothing that GitHub doesn’t show to them', async () => {
    const { facts } = product.github;
    const pull = await product.pendingPull('In the inbox');
    const inbox = (session: Session, by = session, tab: InboxTab = 'for-you') =>
      product.call('/inbox', { accessToken: by.accessToken, tab }, session);
    const shownTo = async (login: string) => {
      // A new token: what GitHub shows to one is remembered for minutes.
      const session = await product.signIn(login);
      const answers = await Promise.all(inboxTabs.map((tab) => inbox(session, session, tab)));
      const pulls = answers.flatMap((answer) => answer.json<InboxAnswer>().pulls);
      return pulls.find(({ pr }) => pr === pull.number) ?? null;
    };
    const org = { id: orgID, name: facts.org, installation: facts.installation };
    const shown = await until('the pull request', () => shownTo('mona'));
    expect(shown).toMatchObject({ title: 'In the inbox', org, asked: null });
    const reviewers = { reviewers: ['mona'] };
    const hello = `/repos/${facts.org}/hello`;
    await product.asAdmin('POST', `${hello}/pulls/${pull.number}/requested_reviewers`, reviewers);
    await until('the request of a review', async () => (await shownTo('mona'))?.asked === 'review');
    expect((await shownTo('octocat'))?.asked).toBeNull();
    expect([await shownTo('hubot'), (await inbox(mona, octocat)).status]).toEqual([null, 403]);
    await hide(product, true);
    expect([await shownTo('mona'), (await shownTo('octocat'))?.pr]).toEqual([null, pull.number]);
  });
});
