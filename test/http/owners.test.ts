import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { DEFAULT_POLICY } from '../../src/contract/default-policy.ts';
import { type InboxAnswer, type InboxTab, inboxTabs } from '../../src/contract/inbox.ts';
import type { OrganizationHealth } from '../../src/contract/organization-health.ts';
import type { Policy } from '../../src/contract/policy.ts';
import type { PolicyStatement } from '../../src/contract/statement.ts';
import { sha256OfJson } from '../../src/shared/crypto.ts';
import { hide, listed, orgOf, ownRecord, proofBy, registerCodes, registerKey } from '../support/account.ts';
import { CodeApp, type SoftwareAuthenticator } from '../support/authenticator.ts';
import { factsOf } from '../support/facts-of.ts';
import { anImage } from '../support/fakes/examples.ts';
import {
  type Answer,
  approvalOptions,
  approveBy,
  type Pull,
  type Session,
  sendAssertion,
  startTestProduct,
  type TestProduct,
  targetOf,
  until,
} from '../support/product.ts';

const REGISTER = { type: 'register-authenticator' } as const;
const SENTENCE = /^[^\n<>{}]{5,200}$/;
const deletion = (authenticatorID: string) => ({ type: 'delete-authenticator', authenticatorID }) as const;
const sentence = ({ status, text }: Answer) => [status, text];

type Collection = 'webauthn' | 'totps';

let product: TestProduct;
let mona: Session;
let octocat: Session;
let octocatsKey: SoftwareAuthenticator;
let ahead = 0;
const octocatsApp = new CodeApp();
const now = () => Date.now() + ahead;

beforeAll(async () => {
  product = await startTestProduct({ clock: { now: () => new Date(now()) }, unlimited: true });
  [mona, octocat] = await Promise.all([product.signIn('mona'), product.signIn('octocat')]);
  octocatsKey = (await registerKey(product, octocat, { label: 'Of octocat' })).key;
  const stepUp = await proofBy(product, octocat, octocatsKey, REGISTER);
  await registerCodes(product, octocat, { app: octocatsApp, code: octocatsApp.codeAt(now()), stepUp });
});

afterAll(() => product?.stop());

// Each test has its own one-time codes, and asks GitHub again.
beforeEach(() => {
  ahead += 5 * 60_000;
});

describe('an owner who removes a member’s authenticator', () => {
  /** A person, as an owner of the organization sees them. */
  const recordsOf = async (person: Session, collection: Collection, by = octocat) => {
    const name = collection === 'totps' ? 'user_id' : 'user';
    const { items } = await listed(product, by, collection);
    return items.filter((record) => record[name] === person.record.id);
  };
  const idOf = async (person: Session, collection: Collection, label?: string) => {
    const found = (await recordsOf(person, collection)).find(
      (record) => label === undefined || record.label === label,
    );
    if (!found) throw new Error(`nothing of ${person.login}`);
    return String(found.id);
  };
  /** A first authenticator. */
  const enrol = async (person: Session, label = 'The only one', type = 'passkey') => {
    const { status, text, key } = await registerKey(product, person, { label, type });
    if (status !== 200) throw new Error(`${status} ${text}`);
    return key;
  };
  /** Removes every authenticator of a person, with the owner's key. */
  const clear = async (person: Session) => {
    for (const collection of ['webauthn', 'totps'] as const) {
      for (const { id } of await recordsOf(person, collection)) {
        const proof = await proofBy(product, octocat, octocatsKey, deletion(String(id)));
        const { status } = await product.remove(collection, String(id), octocat, proof);
        if (status !== 204) throw new Error(`removal: ${status}`);
      }
    }
  };
  const removals = async (kind: string) =>
    (await listed(product, octocat, 'gh_activities', 'perPage=50&sort=-created')).items.filter(
      ({ activity }) => activity === kind,
    );

  it.each([
    ['passkey', 'code'],
    ['totp', 'key'],
  ])(
    'removes a member’s only %s with their own %s, and the member’s next registration is a first one',
    async (type, by) => {
      const app = new CodeApp();
      if (type === 'totp') {
        expect((await registerCodes(product, mona, { app, code: app.codeAt(now()) })).status).toBe(200);
      }
      const keys = type === 'totp' ? [] : [{ id: (await enrol(mona, 'Lost', type)).id }];
      const authenticators = { [orgOf(product).orgID]: { totp: type === 'totp', webauthn: keys } };
      expect((await ownRecord(product, mona)).authenticators).toEqual(authenticators);
      const collection = type === 'totp' ? 'totps' : 'webauthn';
      const id = await idOf(mona, collection);
      const proof =
        by === 'key'
          ? await proofBy(product, octocat, octocatsKey, deletion(id))
          : { ...deletion(id), otp: octocatsApp.codeAt(now()) };
      expect(sentence(await product.remove(collection, id, octocat, proof))).toEqual([204, '']);
      expect(await recordsOf(mona, collection)).toEqual([]);
      expect((await ownRecord(product, mona)).authenticators).toEqual({});
      const label = type === 'totp' ? 'mona@octo-org/github' : 'Lost';
      expect((await removals('memberAuthenticatorDelete'))[0]).toMatchObject({
        user_id: octocat.record.id,
        data: { type, label, login: 'octocat', user: 'mona', org: 'octo-org' },
      });
      expect(await removals('authenticatorDelete')).toEqual([]);
      // Like a person who never had one: without a step-up.
      await enrol(mona, 'Found');
      expect(await recordsOf(mona, 'webauthn')).toHaveLength(1);
      await clear(mona);
    },
  );

  // Which proofs are refused: test/unit/authenticators/remove-authenticator.test.ts.
  it('is refused without their own session and GitHub token, and on any other path', async () => {
    await enrol(mona, 'Stays');
    const id = await idOf(mona, 'webauthn');
    const valid = await proofBy(product, octocat, octocatsKey, deletion(id));
    const tries: [string, unknown, Partial<Session>, number][] = [
      ['no json', '{', octocat, 400],
      ['the session of another person', valid, mona, 403],
      ['the GitHub token of another person', valid, { ...octocat, accessToken: mona.accessToken }, 403],
      ['no session', valid, { accessToken: octocat.accessToken }, 401],
      ['no GitHub token', valid, { token: octocat.token }, 401],
    ];
    for (const [name, proof, session, status] of tries) {
      const answer = await product.remove('webauthn', id, session, proof);
      expect([name, answer.status, answer.text]).toEqual([name, status, expect.stringMatching(SENTENCE)]);
    }
    for (const collection of ['totps', '%77ebauthn', 'webauthn/', 'gh_users']) {
      const answer = await product.remove(collection, id, octocat, valid);
      expect([collection, answer.status]).toEqual([collection, 404]);
    }
    expect((await product.remove('webauthn', id, octocat, valid)).status).toBe(204);
    expect((await product.remove('webauthn', id, octocat, valid)).status).toBe(404);
  });

  it('ends what the member has begun with the authenticator: an approval and a registration', async () => {
    const monasKey = await enrol(mona, 'Lost');
    const pull = await product.pendingPull();
    const target = targetOf(product, pull);
    const { options } = await approvalOptions(product, mona, target);
    const proofOfMona = await proofBy(product, mona, monasKey, REGISTER);
    const id = await idOf(mona, 'webauthn', 'Lost');
    const proof = await proofBy(product, octocat, octocatsKey, deletion(id));
    expect((await product.remove('webauthn', id, octocat, proof)).status).toBe(204);
    const approval = await sendAssertion(product, mona, target, monasKey.get(options));
    expect(approval.status).toBe(403);
    expect(approval.text).toMatch(SENTENCE);
    expect((await product.runs(pull.head.sha)).map(({ status }) => status)).toEqual(['in_progress']);
    // A first authenticator needs no step-up, and a step-up that can't be checked is ignored.
    await enrol(mona, 'New');
    const further = await registerKey(product, mona, { label: 'By the lost one', stepUp: proofOfMona });
    expect(further.status).toBe(403);
    expect((await registerKey(product, mona, { label: 'Back again', key: monasKey })).status).toBe(403);
    await clear(mona);
  });

  it('withdraws the approvals made with a stolen authenticator since then, and leaves the others', async () => {
    const kept = await enrol(mona, 'Kept');
    const stepUp = await proofBy(product, mona, kept, REGISTER);
    const stolen = (await registerKey(product, mona, { label: 'Stolen', stepUp })).key;
    const pulls = [await product.pendingPull(), await product.pendingPull(), await product.pendingPull()];
    const since: string[] = [];
    for (const [index, pull] of pulls.entries()) {
      ahead += 60_000;
      since.push(new Date(now()).toISOString());
      expect((await approveBy(product, mona, index === 2 ? kept : stolen, pull)).status).toBe(200);
    }
    const id = await idOf(mona, 'webauthn', 'Stolen');
    const about = { type: 'passkey', id, orgID: orgOf(product).orgID, since: since[1] };
    const preview = await product.call('/lost-approvals', about, octocat);
    expect(preview.json()).toEqual({ approvals: 1, others: 0, openPulls: 1 });
    const proof = await proofBy(product, octocat, octocatsKey, deletion(id));
    expect((await product.remove('webauthn', id, octocat, proof, since[1])).status).toBe(204);
    const shown = [];
    for (const { head } of pulls)
      shown.push((await product.runs(head.sha)).toSorted((a, b) => b.id - a.id)[0]?.status);
    expect(shown).toEqual(['completed', 'in_progress', 'completed']);
    expect((await removals('approvalWithdraw')).map(({ data }) => data)).toEqual([
      expect.objectContaining({
        login: 'octocat',
        user: 'mona',
        sha: pulls[1]?.head.sha,
        lostSince: since[1],
      }),
    ]);
    await clear(mona);
  });
});

describe('the home of an organization', () => {
  let hubot: Session;
  let orgID: number;

  beforeAll(async () => {
    ({ orgID } = orgOf(product));
    hubot = await product.signIn('hubot');
  });

  it('has a security image that an owner sets, which is logged and visible only to members', async () => {
    const image = anImage();
    const seenBy = async (session: Session) =>
      (await listed(product, session, 'organizations')).items.find(({ org_id }) => org_id === orgID)?.image;
    const answer = await product.call('/github-set-image', { orgID, image }, octocat);
    expect([answer.status, answer.json()]).toEqual([200, { image }]);
    expect([await seenBy(mona), await seenBy(hubot)]).toEqual([image, undefined]);
    const logged = { activity: 'setOrgImage', data: { login: 'octocat' }, user_id: octocat.record.id };
    expect((await listed(product, mona, 'gh_activities', 'sort=-created')).items[0]).toMatchObject(logged);
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
    const { findings, repositories, settingsUrl, rulesets } = await health({ again: true });
    expect(factsOf(findings, 'permissions')?.missing).toEqual([]);
    expect(settingsUrl).toMatch(/^http/);
    expect(factsOf(repositories, 'required')).toMatchObject({ protected: 0, unchecked: 0 });
    type Rules = { rules: [{ parameters: { required_status_checks: object[] } }] };
    await require((rulesets.repository as Rules).rules[0].parameters.required_status_checks);
    const required = factsOf((await health({ again: 'true' })).repositories, 'required');
    expect(required).toMatchObject({ protected: 1, unchecked: 0 });
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
    await hide(product, false);
  });
});

describe('the policy of an organization', () => {
  const rule = { name: 'two of us', when: { branches: ['main'] }, require: { approvals: 2 } };
  const POLICY = { version: 1, rules: [rule] };

  const read = async (by: Partial<Session>, org: object = orgOf(product)) => {
    const answer = await product.call('/organization-policy', org, by);
    return answer.status === 200 ? answer.json<Policy>() : sentence(answer);
  };
  const proof = (policy: unknown) =>
    proofBy(product, octocat, octocatsKey, { type: 'change-policy', policy });
  const set = (policy: unknown, stepUp: unknown, change: object = {}, by = octocat) => {
    const body = { ...orgOf(product), policy, stepUp, accessToken: by.accessToken, ...change };
    return product.call('/github-set-policy', body, by);
  };
  const trial = (by: Session, change: object = {}) => {
    const { repo } = product.github.facts;
    const body = { ...orgOf(product), policy: POLICY, repo, pr: 1, accessToken: by.accessToken, ...change };
    return product.call('/github-try-policy', body, by);
  };

  it('is changed by an owner’s signature over exactly this policy, once, and logged with before and after', async () => {
    const requested = await product.call(
      '/webauthn-challenge',
      { type: 'change-policy', policy: POLICY, ...orgOf(product) },
      octocat,
    );
    const { options, statement } = requested.json<{
      options: { challenge: string };
      statement: PolicyStatement;
    }>();
    expect(statement).toEqual({
      v: 1,
      purpose: 'policy',
      host: product.origin,
      org: { id: orgOf(product).orgID, login: 'octo-org' },
      user: { id: octocat.record.github_id, login: 'octocat' },
      policySha256: sha256OfJson(POLICY),
      nonce: expect.stringMatching(/^[\w-]{22}$/),
      iat: expect.any(Number),
    });
    expect(Math.abs(statement.iat - now() / 1000)).toBeLessThan(30);
    expect(options.challenge).toBe(sha256OfJson(statement));
    const stepUp = { type: 'change-policy', webauthn: octocatsKey.get(options) };
    // The order of members doesn't matter: it's the same policy.
    const answer = await set({ rules: [rule], version: 1 }, stepUp, {
      replaces: sha256OfJson(DEFAULT_POLICY),
    });
    expect(answer.status).toBe(200);
    const stored = answer.json<Policy>();
    expect(stored.rules).toMatchObject([
      { ...rule, enforced: true, require: { approvals: 2, from: ['members'] } },
    ]);
    expect(await read(mona)).toEqual(stored);
    expect(sentence(await set(POLICY, stepUp))).toEqual([403, expect.stringContaining('already used')]);
    const { items } = await listed(product, mona, 'gh_activities', 'sort=-created');
    const changes = items.filter(({ activity }) => activity === 'policyChange');
    expect(changes.map(({ user_id, data }) => [user_id, data])).toEqual([
      [
        octocat.record.id,
        expect.objectContaining({
          login: 'octocat',
          number: 1,
          before: { rules: [] },
          after: { rules: stored.rules },
        }),
      ],
    ]);
  });

  it('is changed with a one-time code, which works once and isn’t used up by a wrong policy', async () => {
    const stepUp = { type: 'change-policy', otp: octocatsApp.codeAt(now()) };
    const wrong: [policy: unknown, says: string][] = [
      [undefined, 'A policy is needed here.'],
      [{ ...POLICY, rules: [rule, rule] }, 'rules.1.name: Another rule has this name.'],
      [
        { ...POLICY, enrolment: { mode: 'email', domains: ['example.org'] } },
        "enrolment.mode: This server doesn't send e-mail.",
      ],
    ];
    for (const [policy, says] of wrong)
      expect(sentence(await set(policy, stepUp))).toEqual([400, expect.stringContaining(says)]);
    const policy = { version: 1, rules: [{ ...rule, name: 'by code' }] };
    expect((await set(policy, stepUp)).status).toBe(200);
    expect((await set(POLICY, stepUp)).status).toBe(403);
    expect(await read(mona)).toMatchObject(policy);
  });

  it('is not replaced by an owner who has not seen the one in force', async () => {
    const seen = await read(octocat);
    const theirs = { version: 1, rules: [{ ...rule, name: 'theirs' }] };
    expect((await set(theirs, await proof(theirs))).status).toBe(200);
    const stepUp = await proof(POLICY);
    const stale = await set(POLICY, stepUp, { replaces: sha256OfJson(seen) });
    expect(sentence(stale)).toEqual([409, expect.stringContaining('You changed the policy')]);
    expect(await read(mona)).toMatchObject(theirs);
    // The proof is still good, and of two simultaneous changes one counts.
    const replaces = sha256OfJson(await read(octocat));
    const more = { version: 1, rules: [{ ...rule, name: 'more' }] };
    const both = await Promise.all([
      set(POLICY, stepUp, { replaces }),
      proof(more).then((other) => set(more, other, { replaces })),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('is tried on an open pull request by members who can see it', async () => {
    const pull = await product.pendingPull();
    const answer = await trial(mona, { pr: pull.number });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"passed":false')]);
    expect((await trial(mona, { repo: 'nothing' })).status).toBe(403);
    // A person's membership of a team can be secret.
    const secret = { version: 1, rules: [{ ...rule, require: { from: ['@octo-org/secret'] } }] };
    expect((await trial(mona, { pr: pull.number, policy: secret })).status).toBe(403);
    expect((await trial(octocat, { pr: pull.number, policy: secret })).status).toBe(200);
    await product.asAdmin('PATCH', `/repos/octo-org/hello/pulls/${pull.number}`, { state: 'closed' });
    expect((await trial(mona, { pr: pull.number })).status).toBe(409);
  });

  it('leaves out the person who asked an agent, even once they are no longer assigned', async () => {
    const policy = { version: 1, rules: [{ name: 'agents', require: { notBy: ['author', 'initiator'] } }] };
    expect((await set(policy, await proof(policy))).status).toBe(200);
    const { key } = await registerKey(product, mona, { label: 'Of mona' });
    const { number, head } = await product.openPull();
    await product.asAdmin('PATCH', `/repos/octo-org/hello/pulls/${number}`, { state: 'closed' });
    const opened = {
      author: 'copilot-swe-agent[bot]',
      title: 'By an agent',
      body: '',
      head: head.ref,
      base: 'main',
    };
    const pull = await product.asAdmin<Pull>('POST', '/_local/pulls/octo-org/hello', opened);
    const assignees = `/repos/octo-org/hello/issues/${pull.number}/assignees`;
    const refusal = async () =>
      ((await approvalOptions(product, mona, targetOf(product, pull))) as { refusal?: string | null })
        .refusal;
    await until('that anybody may approve', async () => (await refusal()) === null);
    await product.asAdmin('POST', assignees, { assignees: ['mona'] });
    await product.asAdmin('DELETE', assignees, { assignees: ['mona'] });
    const says = 'You asked for this change, so another person has to approve it.';
    await until('that it is remembered', async () => (await refusal()) === says);
    const [waiting] = await product.runs(pull.head.sha);
    expect(waiting?.output.summary).toContain('the person who asked for it');
    expect(sentence(await approveBy(product, mona, key, pull))).toEqual([403, expect.stringContaining(says)]);
    expect((await approveBy(product, octocat, octocatsKey, pull)).status).toBe(200);
  });

  it('asks for two people once an agent wrote a commit, and for one after a rebase without it', async () => {
    const byAgents = { name: 'by agents', when: { agents: true }, require: { approvals: 2 } };
    const policy = { version: 1, rules: [{ name: 'everybody' }, byAgents] };
    expect((await set(policy, await proof(policy))).status).toBe(200);
    const { number, head } = await product.openPull();
    const git = '/repos/octo-org/hello/git';
    const { tree } = await product.asAdmin<{ tree: { sha: string } }>('GET', `${git}/commits/${head.sha}`);
    const push = async (message: string, author: object) => {
      const commit = { message, author, tree: tree.sha, parents: [head.sha] };
      const { sha } = await product.asAdmin<{ sha: string }>('POST', `${git}/commits`, commit);
      await product.asAdmin('PATCH', `${git}/refs/heads/${head.ref}`, { sha, force: true });
      await until('its run', async () => (await product.runs(sha)).length > 0);
      return product.asAdmin<Pull>('GET', `/repos/octo-org/hello/pulls/${number}`);
    };
    const conclusion = async ({ head: { sha } }: Pull) => (await product.runs(sha))[0]?.conclusion;

    const claude = { name: 'claude[bot]', email: '209825114+claude[bot]@users.noreply.github.com' };
    const byClaude = await push('Greet in French', claude);
    const line = 'Claude wrote 1 of 2 commits';
    expect(await approvalOptions(product, octocat, targetOf(product, byClaude))).toMatchObject({
      agents: line,
    });
    expect((await product.runs(byClaude.head.sha))[0]?.output.summary).toContain(`${line}.`);
    const first = await approveBy(product, octocat, octocatsKey, byClaude);
    expect(first.json()).toMatchObject({ passed: false, needs: expect.stringContaining('1 more approval') });
    expect(await conclusion(byClaude)).toBeNull();
    const inboxOf = async (tab: InboxTab) =>
      (
        await product.call('/inbox', { accessToken: mona.accessToken, tab, agents: true }, mona)
      ).json<InboxAnswer>();
    const shown = async () => (await Promise.all(inboxTabs.map(inboxOf))).flatMap(({ pulls }) => pulls);
    const own = await until('the inbox', async () => (await shown()).find(({ pr }) => pr === number));
    expect(own.agents).toBe(line);

    const byMona = await push('Greet in Italian', { name: 'mona', email: 'mona@example.org' });
    expect((await approveBy(product, octocat, octocatsKey, byMona)).json()).toMatchObject({ passed: true });
    expect(await conclusion(byMona)).toBe('success');
  });

  it('has a JSON schema that accepts what people write, and refuses what the server refuses', async () => {
    const answer = await fetch(`${product.origin}/policy.schema.json`);
    expect(answer.headers.get('content-type')).toContain('json');
    const validate = new Ajv({ validateFormats: false }).compile((await answer.json()) as object);
    expect([validate(POLICY), validate({ version: 1 }), validate(DEFAULT_POLICY)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([validate({}), validate({ version: 1, colour: 1 })]).toEqual([false, false]);
  });

  it('publishes the schema of the block in a check’s text, which a run of the product fits', async () => {
    const answer = await fetch(`${product.origin}/status.schema.json`);
    expect(answer.headers.get('content-type')).toContain('json');
    const validate = new Ajv({ validateFormats: false }).compile((await answer.json()) as object);
    const { head } = await product.openPull();
    const text = await until('its run', async () => (await product.runs(head.sha))[0]?.output.text);
    const [, json = ''] = /```json\n(.*)\n```$/.exec(text) ?? [];
    const block = JSON.parse(json) as object;
    expect([validate(block), validate({ ...block, more: 1 }), validate({})]).toEqual([true, true, false]);
  });
});
