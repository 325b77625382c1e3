import type { EmulatorClient, EmulatorRequest } from './emulator-client.ts';
import { OUR_CHECK, type Rulesets } from './rulesets.ts';
import { SEED } from './seed.ts';

const GREETING = '# hello\n\nSays hello.\n\n```\n$ hello octocat\nHello, octocat!\n```\n';
const MONA = { name: 'Mona Lisa', email: 'mona@example.org' };
const BRANCH = 'add-a-greeting';

/** Sends a request; throws if the emulator refuses it. */
async function request<T>(emulator: EmulatorClient, input: EmulatorRequest): Promise<T> {
  const answer = await emulator.send(input);
  if (answer.status >= 300) {
    throw new Error(
      `The local GitHub can't create its first pull request: ${input.method} ${input.path} ${answer.body}`,
    );
  }
  return answer.json as T;
}

async function protect(emulator: EmulatorClient, rulesets: Rulesets, repo: string): Promise<void> {
  const { id } = await request<{ id: number }>(emulator, { method: 'GET', path: `/repos/${repo}` });
  rulesets.require(id, 'main', [OUR_CHECK]);
}

/** Changes the README on a new branch and opens a pull request as mona; returns the URL of its page. */
async function openPull(emulator: EmulatorClient, repo: string, monaToken: string): Promise<string> {
  type Ref = { object: { sha: string } };
  const path = `/repos/${repo}`;
  const main = await request<Ref>(emulator, { method: 'GET', path: `${path}/git/ref/heads/main` });
  const ref = { ref: `refs/heads/${BRANCH}`, sha: main.object.sha };
  await request(emulator, { method: 'POST', path: `${path}/git/refs`, body: ref });
  const readme = await request<{ sha: string }>(emulator, {
    method: 'GET',
    path: `${path}/contents/README.md`,
  });
  await request(emulator, {
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
  const pull = await request<{ html_url: string }>(emulator, {
    method: 'POST',
    path: `${path}/pulls`,
    token: monaToken,
    body: { title: 'Add a greeting', head: BRANCH, base: 'main', body: 'It was too quiet in here.' },
  });
  return pull.html_url;
}

export type InitialPull = { pull: string; orgID: number; otherOrgID: number };

/** Protects both `main` branches with a ruleset and opens a pull request, which a seed of the emulator can't do. */
export async function createInitialPull(
  { emulator, rulesets }: { emulator: EmulatorClient; rulesets: Rulesets },
  monaToken: string,
): Promise<InitialPull> {
  const { org, repo, otherOrg, otherRepo } = SEED;
  await protect(emulator, rulesets, `${org}/${repo}`);
  await protect(emulator, rulesets, `${otherOrg}/${otherRepo}`);
  const idOf = async (login: string) =>
    (await request<{ id: number }>(emulator, { method: 'GET', path: `/orgs/${login}` })).id;
  const [orgID, otherOrgID] = [await idOf(org), await idOf(otherOrg)];
  return { orgID, otherOrgID, pull: await openPull(emulator, `${org}/${repo}`, monaToken) };
}
