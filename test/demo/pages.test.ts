import { describe, expect, it } from '@jest/globals';
import { changesUrl } from '../../src/shared/links.ts';
import { world } from './one-world.ts';

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
  it('has the address that startLocalGitHub returns', async () => {
    expect(world.github.facts.pull).toBe(`${world.github.origin}${page}`);
    const { status, text } = await open(page);
    expect(status).toBe(200);
    expect(text).toContain('Add a greeting');
    expect(text).toContain('No check has reported');
  });

  it('shows the state of each check, with a link to its details', async () => {
    await postRun({
      status: 'in_progress',
      details_url: 'http://localhost:3000/collect?pr=1',
      output: { title: 'Waiting for a person', summary: '' },
    });
    const { text } = await open(page);
    expect(text).toMatch(/In progress[\s\S]*OTP Guard[\s\S]*Waiting for a person/);
    expect(text).toMatch(/<a [^>]*href="http:\/\/localhost:3000\/collect\?pr=1"[^>]*>Details</);
  });

  it('shows that a merge would be refused, and once why it was', async () => {
    expect((await open(page)).text).toMatch(/Merging is blocked\.[\s\S]*“OTP Guard” hasn't succeeded/);
    expect((await press('merge')).text).toContain('Repository rule violations found');
    expect((await open(page)).text).not.toContain('Repository rule');
  });

  it('refuses a form that comes from another site', async () => {
    expect((await press('push', 'http://evil.example')).status).toBe(403);
  });

  it('has a button that pushes a commit, which has no checks yet', async () => {
    const { text } = await press('push');
    expect(text).toContain('No check has reported');
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

  it('shows that the pull request was merged', async () => {
    await postRun({ status: 'completed', conclusion: 'success' });
    expect((await open(page)).text).not.toContain('Merging is blocked');
    const { text } = await press('merge');
    expect(text).toContain('Merged');
    expect(text).not.toContain('<form');
  });
});

describe('the pages of changes at the local GitHub', () => {
  const commitFile = (repo: string, branch: string, name: string) =>
    world.call('PUT', `/repos/${repo}/contents/${name}`, {
      token: world.github.facts.adminToken,
      body: { message: `Add ${name}`, content: Buffer.from(name).toString('base64'), branch },
    });
  const openPull = async (head: string) => {
    const token = world.github.facts.adminToken;
    const body = { title: `From ${head}`, head, base: 'main' };
    return (await world.call('POST', '/repos/octo-org/hello/pulls', { token, body })).json;
  };

  it('show a range of commits, or only the one commit of their address', async () => {
    const token = world.github.facts.adminToken;
    const main = (await world.call('GET', '/repos/octo-org/hello/git/ref/heads/main')).json.object.sha;
    const body = { ref: 'refs/heads/two', sha: main };
    await world.call('POST', '/repos/octo-org/hello/git/refs', { token, body });
    await commitFile('octo-org/hello', 'two', 'one.txt');
    await commitFile('octo-org/hello', 'two', 'two.txt');
    const { number, base, head } = await openPull('two');
    const repository = '/octo-org/hello';
    for (const path of [
      changesUrl(
        { githubUrl: '', publicUrl: '' },
        {
          number,
          head: head.sha,
          baseSha: base.sha,
          repo: { id: 1, owner: 'octo-org', name: 'hello', ownerId: 1 },
        },
      ),
      `${repository}/pull/${number}/changes/${base.sha}..${head.sha}`,
      `${repository}/pull/${number}/files`,
    ])
      expect((await open(path)).text).toMatch(/one\.txt[\s\S]*two\.txt/);
    const last = (await open(`${repository}/pull/${number}/changes/${head.sha}`)).text;
    expect(last).toContain('two.txt');
    expect(last).not.toContain('one.txt');
    const listed = (await open(`${repository}/pulls?q=is:pr+is:open+${head.sha}`)).text;
    expect(listed).toContain(`/pull/${number}"`);
    expect(listed).not.toContain('/pull/1"');
    const only = (await open(`${repository}/commit/${head.sha}`)).text;
    expect(only).toContain('two.txt');
    expect(only).not.toContain('one.txt');
    // What the base got since isn't a change of the pull request: GitHub compares from the merge base.
    const later = { ref: 'refs/heads/later', sha: base.sha };
    await world.call('POST', '/repos/octo-org/hello/git/refs', { token, body: later });
    await commitFile('octo-org/hello', 'later', 'since.txt');
    const compared = (await open(`${repository}/compare/later...${head.sha}`)).text;
    expect(compared).toMatch(/Add one\.txt[\s\S]*Add two\.txt[\s\S]*one\.txt[\s\S]*two\.txt/);
    expect(compared).not.toContain('since.txt');
    for (const range of [`${base.sha}...${'f'.repeat(40)}`, head.sha])
      expect((await open(`${repository}/compare/${range}`)).status).toBe(404);
  });

  it('show the changes of a fork', async () => {
    const token = world.github.facts.adminToken;
    await world.call('POST', '/repos/octo-org/hello/forks', { token, body: {} });
    await commitFile('octocat/hello', 'main', 'forked.txt');
    const { base, head } = await openPull('octocat:main');
    expect((await open(`/octo-org/hello/compare/${base.sha}...${head.sha}`)).text).toContain('forked.txt');
  });
});

describe('the other pages of the local GitHub', () => {
  it('show changes, commits, people and the App', async () => {
    const { json } = await world.call('GET', '/repos/octo-org/hello/pulls/1');
    expect((await open(`${page}/files`)).text).toContain('README.md');
    expect((await open(`${page}/changes/${json.base.sha}..${json.head.sha}`)).text).toContain('README.md');
    expect((await open(`/octo-org/hello/commit/${json.head.sha}`)).text).toContain(json.head.sha);
    expect((await open('/mona')).text).toContain('Mona Lisa');
    expect((await open('/octocat')).text).toContain('The Octocat');
    expect((await open('/octo-org')).text).toContain('Octo Org');
    expect((await open('/octo-org/hello')).status).toBe(200);
    expect((await open('/apps/otp-guard/installations/new')).text).toContain('other-org');
    expect((await open('/octo-org/hello/pull/99')).status).toBe(404);
    const avatar = await open('/avatars/u/mona');
    expect(avatar.headers.get('content-type')).toContain('image/svg+xml');
  });

  it('include one to sign in, with a form per person, those of the story first', async () => {
    const { GITHUB_CLIENT_ID: id, PUBLIC_URL: url } = world.github.env;
    const query = `client_id=${id}&redirect_uri=${url}/oauth&state=${encodeURIComponent('"><script>')}`;
    const { status, text, headers } = await open(`/login/oauth/authorize?${query}`);
    expect(status).toBe(200);
    expect(text).toContain('/_local/style.css');
    const logins = [...text.matchAll(/name="login" value="([^"]*)"/g)].map(([, login]) => login);
    expect(logins.slice(0, 2)).toEqual(['octocat', 'mona']);
    expect(logins.slice(2)).toEqual(expect.arrayContaining(['ghost', 'hubot']));
    expect(text.match(/<form method="post" action="\/login\/oauth\/callback"/g)).toHaveLength(logins.length);
    expect(text).not.toContain('"><script>');
    // A browser refuses to go back to the product if the page's policy doesn't name it.
    expect(headers.get('content-security-policy')).toMatch(new RegExp(`form-action 'self' ${url}$`));
    const foreign = `client_id=other&redirect_uri=${url}/oauth`;
    expect((await open(`/login/oauth/authorize?${foreign}`)).status).toBe(400);
  });
});
