import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe('tokens of the local GitHub', () => {
  it.each(['ghp_nobody', 'gho_nobody', 'test_token_admin', 'x'])(
    'refuses a made-up token: %s',
    async (token) => {
      const answer = await world.call('GET', '/user', { token });
      expect(answer.status).toBe(401);
      expect(answer.json.message).toBe('Bad credentials');
    },
  );

  it('refuses an unknown token on a public repository too', async () => {
    expect((await world.call('GET', '/repos/octo-org/hello', { token: 'nobody' })).status).toBe(401);
    expect((await world.call('GET', '/repos/octo-org/hello')).status).toBe(200);
  });

  it('knows the administrator', async () => {
    const answer = await world.call('GET', '/user', { token: world.github.facts.adminToken });
    expect(answer.json.login).toBe('octocat');
  });

  it('gives a user token that begins with ghu_ and is its user', async () => {
    const token = await world.signIn('mona');
    expect(token).toMatch(/^ghu_/);
    expect((await world.call('GET', '/user', { token })).json.login).toBe('mona');
  });

  it('refuses an App token with another signature', async () => {
    const [head, body, signature = ''] = world.appToken().split('.');
    const other = `${head}.${body}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`;
    expect((await world.call('GET', '/app', { token: other })).status).toBe(401);
    expect((await world.call('GET', '/app', { token: world.appToken() })).json.slug).toBe('otp-guard');
  });

  it('keeps an installation away from what belongs to a user', async () => {
    const token = await world.installationToken();
    expect((await world.call('GET', '/user/installations', { token })).status).toBe(403);
    expect((await world.call('GET', '/orgs/other-org/members', { token })).status).toBe(403);
    expect((await world.call('GET', '/orgs/octo-org/members/mona', { token })).status).toBe(204);
  });
});

describe('checking a token', () => {
  const check = (token: string, basic?: string) => {
    const { GITHUB_CLIENT_ID: id, GITHUB_CLIENT_SECRET: secret } = world.github.env;
    const body = { access_token: token };
    return world.call('POST', `/applications/${id}/token`, { basic: basic ?? `${id}:${secret}`, body });
  };

  it('answers the user of a token that the App was given', async () => {
    const token = await world.signIn('mona');
    const { status, json } = await check(token);
    expect(status).toBe(200);
    expect(json.user).toMatchObject({ login: 'mona', type: 'User' });
    expect(json.app.client_id).toBe(world.github.env.GITHUB_CLIENT_ID);
    expect(json).toMatchObject({ token, token_last_eight: token.slice(-8) });
  });

  it('does not know a personal token, an installation token or a made-up one', async () => {
    expect((await check(world.github.facts.adminToken)).status).toBe(404);
    expect((await check(await world.installationToken())).status).toBe(404);
    expect((await check('ghu_made_up')).status).toBe(404);
  });

  it('refuses a wrong secret', async () => {
    const token = await world.signIn('mona');
    expect((await check(token, `${world.github.env.GITHUB_CLIENT_ID}:wrong`)).status).toBe(401);
  });

  it('ends a token that was revoked', async () => {
    const { GITHUB_CLIENT_ID: id, GITHUB_CLIENT_SECRET: secret } = world.github.env;
    const token = await world.signIn('mona');
    const basic = `${id}:${secret}`;
    const ended = await world.call('DELETE', `/applications/${id}/token`, {
      basic,
      body: { access_token: token },
    });
    expect(ended.status).toBe(204);
    expect((await check(token)).status).toBe(404);
    expect((await world.call('GET', '/user', { token })).status).toBe(401);
  });
});
