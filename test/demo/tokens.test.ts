import { describe, expect, it } from '@jest/globals';
import { world } from './one-world.ts';

describe('the local GitHub', () => {
  it.each(['ghp_nobody', 'gho_nobody', 'test_token_admin', 'x'])(
    'refuses a token that it never issued: %s',
    async (token) => {
      const answer = await world.call('GET', '/user', { token });
      expect([answer.status, answer.json.message]).toEqual([401, 'Bad credentials']);
    },
  );

  it('refuses an App token with a wrong signature', async () => {
    const [head, body, signature = ''] = world.appToken().split('.');
    const other = `${head}.${body}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`;
    expect((await world.call('GET', '/app', { token: other })).status).toBe(401);
    expect((await world.call('GET', '/app', { token: world.appToken() })).json.slug).toBe('otp-guard');
  });

  it('refuses an installation what only a user or another organization may read', async () => {
    const token = await world.installationToken();
    expect((await world.call('GET', '/user/installations', { token })).status).toBe(403);
    expect((await world.call('GET', '/orgs/other-org/members', { token })).status).toBe(403);
    expect((await world.call('GET', '/orgs/octo-org/members/mona', { token })).status).toBe(204);
  });
});

describe('the token check of the local GitHub', () => {
  const check = (token: string, basic?: string) => {
    const { GITHUB_CLIENT_ID: id, GITHUB_CLIENT_SECRET: secret } = world.github.env;
    const body = { access_token: token };
    return world.call('POST', `/applications/${id}/token`, { basic: basic ?? `${id}:${secret}`, body });
  };

  it('returns 404 for personal tokens, installation tokens and unknown tokens', async () => {
    expect((await check(world.github.facts.adminToken)).status).toBe(404);
    expect((await check(await world.installationToken())).status).toBe(404);
    expect((await check('ghu_made_up')).status).toBe(404);
  });

  it('returns 404 for a revoked token', async () => {
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
