import { describe, expect, it } from '@jest/globals';
import { world } from './one-world.ts';
import { type Json, startWorld } from './world.ts';

const page = '/octo-org/hello/pull/1';
const open = (path: string) => world.call('GET', path, { headers: { accept: 'text/html' } });

async function postRun(values: object) {
  const token = await world.installationToken();
  const head_sha = (await world.call('GET', '/repos/octo-org/hello/pulls/1')).json.head.sha;
  const body = { name: 'OTP Guard', head_sha, ...values };
  return world.call('POST', '/repos/octo-org/hello/check-runs', { token, body });
}

/** Presses a button of the page as a browser does, and follows it back. */
async function press(button: 'merge' | 'push', origin = world.github.origin) {
  const pressed = await world.call('POST', `${page}/${button}`, { headers: { origin } });
  return pressed.status === 303 ? open(String(pressed.headers.get('location'))) : pressed;
}

describe('the page of a pull request at the local GitHub', () => {
  it('refuses a form that comes from another site', async () => {
    expect((await press('push', 'http://evil.example')).status).toBe(403);
  });

  it('escapes a hostile title and drops a hostile link', async () => {
    const title = '<img src=x onerror=alert(1)>"\'&';
    const token = world.github.facts.adminToken;
    await world.call('PATCH', '/repos/octo-org/hello/pulls/1', { token, body: { title, body: title } });
    await postRun({
      status: 'queued',
      details_url: 'javascript:alert(1)',
      output: { title, summary: title },
    });
    for (const path of [page, '/', `${page}/files`]) {
      const { text, headers } = await open(path);
      expect(text).not.toMatch(/<img src=x|javascript:/);
      expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });
});

describe('the other pages of the local GitHub', () => {
  it('include one to sign in, with a form per person, those of the story first, with what they are', async () => {
    const { GITHUB_CLIENT_ID: id, PUBLIC_URL: url } = world.github.env;
    const query = `client_id=${id}&redirect_uri=${url}/oauth&state=${encodeURIComponent('"><script>')}`;
    const { status, text, headers } = await open(`/login/oauth/authorize?${query}`);
    expect(status).toBe(200);
    expect(text).toContain('/_local/style.css');
    const logins = [...text.matchAll(/name="login" value="([^"]*)"/g)].map(([, login]) => login);
    expect(logins.slice(0, 3)).toEqual(['octocat', 'mona', 'hubot']);
    expect(logins.slice(3)).toContain('ghost');
    const [first = '', others = ''] = text.split('<h2>Others</h2>');
    const parts = [...first.matchAll(/<span class="muted">(.*?)<\/span>/g)].map(([, part]) => part);
    expect(parts).toEqual(['owner', 'member', 'outsider']);
    expect(others).toContain('value="ghost"');
    expect(text.match(/<form method="post" action="\/login\/oauth\/callback"/g)).toHaveLength(logins.length);
    expect(text).not.toContain('"><script>');
    // A browser refuses to go back to the product if the page's policy doesn't name it.
    expect(headers.get('content-security-policy')).toMatch(new RegExp(`form-action 'self' ${url}$`));
    const foreign = `client_id=other&redirect_uri=${url}/oauth`;
    expect((await open(`/login/oauth/authorize?${foreign}`)).status).toBe(400);
  });
});

describe('agents at the local GitHub', () => {
  it('open a pull request for the person who asked, and a person can take their commits away', async () => {
    const { github, call, webhook, signIn, close } = await startWorld({}, undefined, { hasAgents: true });
    try {
      const press = (path: string, fields: Record<string, string> = {}, origin = github.origin) =>
        fetch(`${github.origin}/octo-org/hello${path}`, {
          method: 'POST',
          headers: { origin },
          body: new URLSearchParams(fields),
          redirect: 'manual',
        });
      const get = async (path: string) =>
        (await call('GET', `/repos/octo-org/hello${path}`, { token: github.facts.adminToken })).json;
      const commitsOf = async (number: number) =>
        (await get(`/pulls/${number}/commits`)).map((one: Json) => one.author.login);
      const text = async (path: string) => {
        const headers = { accept: 'text/html' };
        return (await fetch(`${github.origin}/octo-org/hello${path}`, { headers })).text();
      };

      expect(await text('')).toMatch(/<option selected>mona.*Let the agent open a pull request/s);
      await signIn('octocat');
      expect(await text('')).toContain('<option selected>octocat');
      expect((await press('/agent', { login: 'mona' }, 'http://evil.example')).status).toBe(403);
      expect((await press('/agent', { login: 'hubot' })).status).toBe(404);
      expect((await press('/agent', { login: 'mona' })).headers.get('location')).toBe(
        '/octo-org/hello/pull/3',
      );
      const bot = { login: 'copilot-swe-agent[bot]', id: 198_982_749, type: 'Bot' };
      const opened = await get('/pulls/3');
      expect([opened.user, ...opened.assignees]).toMatchObject([bot, bot, { login: 'mona' }]);
      const [{ commit, author }] = await get('/pulls/3/commits');
      const trailer = `Co-authored-by: mona <${opened.assignees[1].id}+mona@users.noreply.localhost>`;
      expect([author, commit.message.trim().split('\n').at(-1)]).toMatchObject([bot, trailer]);
      expect(opened.body).toContain('submitted by @mona');
      await webhook(({ payload }) => payload.action === 'assigned' && payload.assignee.login === 'mona');
      expect(await text('/pull/3')).not.toContain('Rebase without');
      await press('/pull/3/unassign', { login: 'mona' });
      expect((await get('/pulls/3')).assignees).toHaveLength(1);
      await press('/pull/3/assign', { login: 'mona' });
      expect(await text('/pull/3')).toContain('Unassign mona');

      expect((await get('/pulls/2')).user.login).toBe('mona');
      expect(await commitsOf(2)).toEqual(['mona', 'claude[bot]']);
      expect(await text('/pull/2')).toContain('Rebase without');
      await press('/pull/2/push');
      await press('/pull/2/rebase');
      expect(await commitsOf(2)).toEqual(['mona', 'octocat']);
      const files = await get('/pulls/2/files');
      expect(files.map(({ filename }: Json) => filename)).toEqual(['languages.md']);
      expect(await text('/pull/2')).not.toContain('Rebase without');
    } finally {
      await close();
    }
  });
});

describe('an App that is registered at the local GitHub', () => {
  it('is installed nowhere and required by no rule, until an owner does both on its pages', async () => {
    const { github, call, webhook, close } = await startWorld();
    try {
      const submit = (path: string, fields: Record<string, string>, origin = github.origin) =>
        fetch(github.origin + path, {
          method: 'POST',
          headers: { origin },
          body: new URLSearchParams(fields),
          redirect: 'manual',
        });
      const get = async (path: string) => (await fetch(github.origin + path)).text();
      const address = `${github.env.PUBLIC_URL}/set-up/registered`;
      const manifest = JSON.stringify({
        url: address,
        redirect_url: address,
        hook_attributes: { url: address },
      });
      const created = await submit('/_local/apps', { manifest, state: 's' });
      const code = new URL(created.headers.get('location') ?? '').searchParams.get('code');
      await call('POST', `/app-manifests/${code}/conversions`);

      const install = '/apps/otp-guard/installations/new';
      const rules = '/organizations/octo-org/settings/rules';
      expect(await get(install)).toMatch(/Install on octo-org.*No account\./s);
      expect(await get(rules)).toContain('requires no check');
      expect(await get('/')).toContain('Add a greeting');
      expect((await submit(install, { account: 'octo-org' }, 'http://evil.example')).status).toBe(403);

      const installed = await submit(install, { account: 'octo-org' });
      const { payload } = await webhook(({ event, payload: { action } }) => {
        return event === 'installation' && action === 'created';
      });
      expect(installed.headers.get('location')).toBe(
        `${github.env.PUBLIC_URL}/org/repositories?installation_id=${payload.installation.id}&setup_action=install`,
      );
      expect(await get(install)).not.toContain('Install on octo-org');

      expect((await submit(rules, { ruleset: '{"rules":[]}' })).status).toBe(422);
      const required_status_checks = [{ context: 'OTP Guard', integration_id: 1 }];
      const parameters = { strict_required_status_checks_policy: false, required_status_checks };
      const ruleset = JSON.stringify({
        name: 'OTP Guard',
        enforcement: 'active',
        conditions: { ref_name: { include: ['~DEFAULT_BRANCH'] }, repository_name: { include: ['~ALL'] } },
        rules: [{ type: 'required_status_checks', parameters }],
      });
      expect((await submit(rules, { ruleset })).status).toBe(303);
      expect(await get(rules)).toContain('requires OTP Guard');
      const ofRepository = '/octo-org/hello/settings/rules';
      expect(await get(ofRepository)).toContain('requires OTP Guard');

      const [, page = ''] = /href="(\/organizations\/[^"]+\/rules\/\d+)"/.exec(await get(rules)) ?? [];
      expect(await get(page)).toMatch(/Enforcement: active.*Nobody\./s);
      expect((await submit(page, { enforcement: 'disabled' }, 'http://evil.example')).status).toBe(403);
      await submit(page, { enforcement: 'disabled' });
      expect(await get(page)).toContain('Enforcement: disabled');
      expect(await get(ofRepository)).toContain('requires no check');
    } finally {
      await close();
    }
  });
});
