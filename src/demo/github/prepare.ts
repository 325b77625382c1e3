import { WORLD } from './seed.ts';
import type { Upstream } from './upstream.ts';

const GREETING = '# hello\n\nSays hello.\n\n```\n$ hello octocat\nHello, octocat!\n```\n';
const MONA = { name: 'Mona Lisa', email: 'mona@example.org' };
const BRANCH = 'add-a-greeting';

/** Sends one request of the preparation; throws when the emulator refuses it. */
async function must<T>(upstream: Upstream, request: Parameters<Upstream['send']>[0]): Promise<T> {
  const answer = await upstream.send(request);
  if (answer.status >= 300) {
    throw new Error(
      `The local GitHub could not be prepared: ${request.method} ${request.path} ${answer.body}`,
    );
  }
  return answer.json as T;
}

function protect(upstream: Upstream, repo: string): Promise<unknown> {
  return must(upstream, {
    method: 'PUT',
    path: `/repos/${repo}/branches/main/protection`,
    body: {
      required_status_checks: { strict: false, contexts: [WORLD.check] },
      enforce_admins: true,
      required_pull_request_reviews: null,
      restrictions: null,
    },
  });
}

/** Changes the README on a branch of its own and opens mona's pull request; answers its page's URL. */
async function openPull(upstream: Upstream, repo: string, monaToken: string): Promise<string> {
  type Ref = { object: { sha: string } };
  const path = `/repos/${repo}`;
  const main = await must<Ref>(upstream, { method: 'GET', path: `${path}/git/ref/heads/main` });
  const ref = { ref: `refs/heads/${BRANCH}`, sha: main.object.sha };
  await must(upstream, { method: 'POST', path: `${path}/git/refs`, body: ref });
  const readme = await must<{ sha: string }>(upstream, { method: 'GET', path: `${path}/contents/README.md` });
  await must(upstream, {
    method: 'PUT',
    path: `${path}/contents/README.md`,
    body: {
      message: 'Add a greeting',
      content: Buffer.from(GREETING).toString('base64'),
      sha: readme.sha,
      branch: BRANCH,
      author: MONA,
      committer: MONA,
    },
  });
  const pull = await must<{ html_url: string }>(upstream, {
    method: 'POST',
    path: `${path}/pulls`,
    token: monaToken,
    body: { title: 'Add a greeting', head: BRANCH, base: 'main', body: 'It was too quiet in here.' },
  });
  return pull.html_url;
}

export type Prepared = { pull: string; orgID: number; otherOrgID: number };

/** What a seed cannot say: both `main` branches are protected, and one pull request waits. */
export async function prepare(upstream: Upstream, monaToken: string): Promise<Prepared> {
  const { org, repo, otherOrg, otherRepo } = WORLD;
  await protect(upstream, `${org}/${repo}`);
  await protect(upstream, `${otherOrg}/${otherRepo}`);
  const idOf = async (login: string) =>
    (await must<{ id: number }>(upstream, { method: 'GET', path: `/orgs/${login}` })).id;
  const [orgID, otherOrgID] = [await idOf(org), await idOf(otherOrg)];
  return { orgID, otherOrgID, pull: await openPull(upstream, `${org}/${repo}`, monaToken) };
}
