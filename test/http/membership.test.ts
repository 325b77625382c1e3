import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { problems } from '../../src/contract/problems.ts';
import {
  listed,
  orgOf,
  ownRecord,
  proofBy,
  registerKey,
  setRole,
  whileGitHubIsDown,
} from '../support/account.ts';
import { anImage } from '../support/fakes/examples.ts';
import {
  type Answer,
  type OwnProduct,
  type Pull,
  type Session,
  startTestProduct,
  targetOf,
  until,
} from '../support/product.ts';
import { listen } from '../support/realtime.ts';

/** How long memberships are believed, and a little more. */
const MINUTE = 61_000;
const NOT_MEMBER = problems.notMember;
const TOPICS = ['gh_activities/*', 'webauthn/*', 'org_members/*', 'organizations/*', 'gh_commits/*'];
const SHOWN = ['organizations', 'org_members', 'webauthn', 'gh_activities', 'gh_commits'];
const sentence = ({ status, text }: Answer) => [status, text];

/** The organization's people, what they see of it, and what they can do there. */
async function start() {
  const time = { ahead: 0 };
  const product = await startTestProduct({
    clock: { now: () => new Date(Date.now() + time.ahead) },
    env: { TRUST_PROXY: '1' },
  });
  const [mona, octocat] = await Promise.all([product.signIn('mona'), product.signIn('octocat')]);
  const keys = {
    mona: (await registerKey(product, mona, { label: 'Of mona' })).key,
    octocat: (await registerKey(product, octocat, { label: 'Of octocat' })).key,
  };
  const { orgID } = orgOf(product);
  await product.call('/github-set-image', { orgID, image: anImage() }, octocat);

  let entries = 0;
  return {
    time,
    product,
    mona,
    octocat,
    keys,
    /** How many records of each kind a person sees. */
    seen: async (session: Session) => {
      const found = await Promise.all(SHOWN.map((name) => listed(product, session, name)));
      // A refusal or a failure must not count as empty.
      expect(found.map(({ status }) => status)).toEqual(SHOWN.map(() => 200));
      return Object.fromEntries(SHOWN.map((name, at) => [name, found[at]?.items.length ?? 0]));
    },
    /** The logins of the organization's members that a person sees. */
    people: async (session: Session) => {
      const filter = encodeURIComponent('org.name = "octo-org"');
      const { status, items } = await listed(product, session, 'org_members', `filter=${filter}&sort=login`);
      expect(status).toBe(200);
      return items.map(({ login }) => login);
    },
    /** Creates an activity that every member may read, and returns its name. */
    happen: async () => {
      entries += 1;
      const label = `Happening ${entries}`;
      const stepUp = await proofBy(product, octocat, keys.octocat, { type: 'register-authenticator' });
      const { status } = await registerKey(product, octocat, { label, stepUp });
      if (status !== 200) throw new Error(`registration: ${status}`);
      return label;
    },
  };
}
type World = Awaited<ReturnType<typeof start>>;

const isNothing = (seen: Record<string, number>) => Object.values(seen).every((count) => count === 0);

/** The answer of each call to a former member. */
async function expectOutside({ product, mona }: Pick<World, 'product' | 'mona'>, pull: Pull) {
  const target = targetOf(product, pull);
  const options = await product.call(
    '/github-check-webauthn-params',
    { type: 'webauthn', ...target, accessToken: mona.accessToken },
    mona,
  );
  expect(sentence(options)).toEqual(NOT_MEMBER);
  const registration = await product.call(
    '/github-register-authenticator-params',
    { label: 'X', type: 'passkey', ...orgOf(product), accessToken: mona.accessToken },
    mona,
  );
  expect(sentence(registration)).toEqual(NOT_MEMBER);
  const { orgID } = orgOf(product);
  for (const path of ['/organization', '/receipts', '/organization-log'])
    expect(sentence(await product.call(path, { ...target, orgID }, mona))).toEqual(NOT_MEMBER);
}

describe('a member who leaves an organization', () => {
  let world: World;
  let product: OwnProduct;
  let mona: Session;
  let octocat: Session;

  beforeAll(async () => {
    world = await start();
    ({ product, mona, octocat } = world);
  });
  afterAll(() => product?.stop());
  beforeEach(async () => {
    await setRole(product, 'mona', 'member');
    await until('the member’s return', async () => (await world.people(mona)).length === 2);
  });

  /** Expects that he hears what happens in the organization after `change`, and she doesn't, with this session. */
  async function expectSilence(session: Session, change: () => Promise<unknown>) {
    const [hers, his] = [await listen(product), await listen(product)];
    expect([await hers.subscribe(session, TOPICS), await his.subscribe(octocat, TOPICS)]).toEqual([204, 204]);
    const first = await world.happen();
    await until('what she hears as a member', async () => hers.received().includes(first));
    await change();
    const [second, third] = [await world.happen(), await world.happen()];
    const isHeard = async () => his.received().includes(second) && his.received().includes(third);
    await until('what he hears', isHeard);
    expect([second, third].filter((one) => hers.received().includes(one))).toEqual([]);
    hers.close();
    his.close();
  }

  it('no longer sees the organization once the webhook is there, in the same session', async () => {
    const before = await world.seen(mona);
    expect(before).toMatchObject({ organizations: 1, org_members: 2, webauthn: 1, gh_commits: 0 });
    expect(before.gh_activities).toBeGreaterThanOrEqual(3);
    const pull = await product.pendingPull();
    await setRole(product, 'mona', null);
    await until('an empty dashboard', async () => isNothing(await world.seen(mona)));
    // Her session is still valid, and she still sees her own record.
    expect((await ownRecord(product, mona)).username).toBe('mona');
    await expectOutside(world, pull);
    expect((await product.runs(pull.head.sha)).map(({ status }) => status)).toEqual(['in_progress']);
    // The organization's owners still see her authenticators.
    const left = await listed(product, octocat, 'webauthn');
    expect(left.items.map(({ label }) => label)).toContain('Of mona');
    expect(await world.people(octocat)).toEqual(['octocat']);
  });

  it('receives no more events of the organization, and none after signing out', async () => {
    await expectSilence(mona, async () => {
      await setRole(product, 'mona', null);
      await until('her leaving', async () => (await world.people(octocat)).length === 1);
    });
    await setRole(product, 'mona', 'member');
    await until('the member’s return', async () => (await world.people(mona)).length === 2);
    const ending = await product.signIn('mona');
    await expectSilence(ending, () => product.call('/logout', {}, ending));
    mona = await product.signIn('mona');
    Object.assign(world.mona, mona);
  });

  it('is shown nothing while GitHub can’t say whether they are a member', async () => {
    world.time.ahead += MINUTE;
    const statuses = await whileGitHubIsDown(product, async () => {
      const found = await Promise.all([
        ...SHOWN.map((name) => listed(product, mona, name)),
        product.call('/api/collections/gh_users/auth-refresh', {}, mona),
        product.call('/api/realtime', { clientId: 'x'.repeat(40), subscriptions: TOPICS }, mona),
      ]);
      return found.map(({ status }) => status);
    });
    expect(new Set(statuses)).toEqual(new Set([502]));
    expect((await world.seen(mona)).organizations).toBe(1);
  });

  it('sees and hears no more of the organization a minute after a lost webhook, once they make any request', async () => {
    // GitHub sends no webhook of this account any more.
    const { installation } = product.github.facts;
    await product.asAdmin('PUT', `/_local/installations/${installation}`, { events: [] });
    const [hers, his] = [await listen(product), await listen(product)];
    expect([await hers.subscribe(mona, TOPICS), await his.subscribe(octocat, TOPICS)]).toEqual([204, 204]);
    const pull = await product.openPull();
    await setRole(product, 'mona', null);
    await expectOutside(world, pull);
    expect(await product.runs(pull.head.sha)).toEqual([]);
    world.time.ahead += MINUTE;
    expect(isNothing(await world.seen(mona))).toBe(true);
    expect((await ownRecord(product, mona)).username).toBe('mona');
    expect(await world.people(octocat)).toEqual(['octocat']);
    const [one, two] = [await world.happen(), await world.happen()];
    await until('what he hears', async () => his.received().includes(one) && his.received().includes(two));
    for (const happened of [one, two]) expect(hers.received()).not.toContain(happened);
    hers.close();
    his.close();
  });
});
