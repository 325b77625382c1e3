import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ProductOverStore, startProductOverStore } from '../support/product-over-store.ts';
import { codeFor, exchange, raw, type SignedIn, signInAs } from '../support/sign-in.ts';

let product: ProductOverStore;

beforeAll(async () => {
  product = await startProductOverStore();
});
afterAll(() => product?.stop());

const EIGHT_HOURS_S = 8 * 60 * 60;

const claims = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    exp: number;
    refreshable?: boolean;
  };

const refresh = (token: string, query = '') =>
  raw(product.origin, 'POST', `/api/collections/gh_users/auth-refresh${query}`, { token });

describe('signing in with GitHub', () => {
  it('starts a session of eight hours, which a refresh does not extend', async () => {
    const before = Math.floor(Date.now() / 1000);
    const { token } = await signInAs(product, 'mona');
    const { exp } = claims(token);
    expect(exp - before).toBeGreaterThanOrEqual(EIGHT_HOURS_S - 5);
    expect(exp - before).toBeLessThanOrEqual(EIGHT_HOURS_S + 60);
    const refreshed = await refresh(token);
    expect(refreshed.status).toBe(200);
    expect(claims((JSON.parse(refreshed.text) as SignedIn).token).exp).toBeLessThanOrEqual(exp);
  });

  it('returns the person’s own record and GitHub token, and none of our secrets', async () => {
    const { record, meta } = await signInAs(product, 'mona');
    const [user] = await product.records.collection('gh_users').getFullList({
      filter: 'username = "mona"',
    });
    expect(record).toMatchObject({
      id: user?.id,
      username: 'mona',
      github_id: user?.github_id,
      avatar: expect.stringContaining('http'),
      collectionName: 'gh_users',
    });
    expect(Object.keys(record)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/password|tokenKey|secret/i)]),
    );
    // GitHub's e-mail address isn't stored.
    expect(JSON.stringify(user)).not.toContain('mona@example.org');
    expect(meta.accessToken).toMatch(/^ghu_/);
    expect(Object.keys(meta).sort()).toEqual(['accessToken', 'avatarURL', 'id', 'isNew', 'name', 'username']);
  });

  it('creates one record for a person who signs in for the first time twice at the same time', async () => {
    const users = product.records.collection('gh_users');
    const octocats = () => users.getFullList({ filter: 'username = "octocat"' });
    for (const { id } of await octocats()) await users.delete(id);
    const codes = [await codeFor(product, 'octocat'), await codeFor(product, 'octocat')];
    const answers = await Promise.all(codes.map((code) => exchange(product, code)));
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(await octocats()).toHaveLength(1);
    const { record } = await signInAs(product, 'octocat');
    expect((await octocats()).map(({ id }) => id)).toEqual([record.id]);
  });
});

// Further refusals: test/unit/http/record-api.test.ts.
it('a sign-in is refused with a code that GitHub did not give', async () => {
  const answer = await exchange(product, { ...(await codeFor(product, 'mona')), code: 'nobodygavethiscode' });
  expect([answer.status, answer.type]).toEqual([401, 'text/plain; charset=utf-8']);
  expect(answer.text).toMatch(/^[^\n{}<>]{5,120}$/);
});

describe('the binding of a record to one GitHub user', () => {
  it('removes a link that was not made through the product, and ends its sessions', async () => {
    const victim = await signInAs(product, 'mona');
    // As if an old rule had let the person forget the link and join another account (a script did, once).
    const links = product.records.collection('_externalAuths');
    const [own] = await links.getFullList({ filter: `recordRef = "${victim.record.id}"` });
    const code = await codeFor(product, 'hubot');
    for (const { id } of await product.records.collection('gh_users').getFullList({
      filter: 'username = "hubot"',
    }))
      await product.records.collection('gh_users').delete(id);
    await links.delete(own?.id ?? '');
    const joined = await exchange(
      product,
      { ...code, createData: {} },
      { at: product.store.url, token: victim.token },
    );
    expect(joined.status).toBe(200);
    expect((JSON.parse(joined.text) as SignedIn).record.id).toBe(victim.record.id);

    const refused = await exchange(product, await codeFor(product, 'hubot'));
    expect([refused.status, refused.text]).toEqual([
      403,
      'This account belongs to another GitHub user. Ask the operator of OTP Guard for help.',
    ]);
    expect((await refresh(victim.token)).status).toBe(401);
    const left = await links.getFullList({ filter: `recordRef = "${victim.record.id}"` });
    expect(left).toEqual([]);
    const stored = await product.records.collection('gh_users').getOne(victim.record.id);
    expect([stored.username, stored.github_id]).toEqual(['mona', victim.record.github_id]);

    const hubot = await signInAs(product, 'hubot');
    expect(hubot.record.id).not.toBe(victim.record.id);
  });

  it('does not share a record between two people who have the same e-mail address one after the other', async () => {
    const users = product.records.collection('gh_users');
    const forget = async () => {
      for (const { id } of await users.getFullList({ filter: 'username = "mona" || username = "hubot"' }))
        await users.delete(id);
    };
    /** Changes the person's e-mail address on GitHub. */
    const setAddress = async (login: string, email: string) => {
      const { meta } = await signInAs(product, login);
      const user = `${product.github.origin}/user`;
      const headers = { authorization: `Bearer ${meta.accessToken}`, 'content-type': 'application/json' };
      await fetch(user, { method: 'PATCH', headers, body: JSON.stringify({ email }) });
      expect(await (await fetch(user, { headers })).json()).toMatchObject({ login, email });
    };
    await forget();
    const first = await signInAs(product, 'mona');
    await setAddress('mona', 'someone@example.org');
    await setAddress('hubot', 'mona@example.org');
    for (const { id } of await users.getFullList({ filter: 'username = "hubot"' })) await users.delete(id);
    // To the record store, this is the first sign-in of a person with mona's old address.
    const second = await signInAs(product, 'hubot');
    const again = await signInAs(product, 'mona');
    expect(again.record.id).toBe(first.record.id);
    expect(second.record.id).not.toBe(first.record.id);
    expect([second.record.username, again.record.username]).toEqual(['hubot', 'mona']);
  });
});

describe('logging out', () => {
  it('ends every session at the record store too', async () => {
    const [one, two] = [await signInAs(product, 'mona'), await signInAs(product, 'mona')];
    expect((await raw(product.origin, 'POST', '/logout', { token: one.token })).text).toBe('ok');
    for (const { token } of [one, two]) expect((await refresh(token)).status).toBe(401);
  });
});
