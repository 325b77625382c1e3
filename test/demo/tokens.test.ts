import { describe, expect, it } from '@jest/globals';
import { world } from './one-world.ts';

describe('the local GitHub', () => {
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
