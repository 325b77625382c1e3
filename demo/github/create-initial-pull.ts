import { CLAUDE, createCommit, readTip, textFile } from './agents-work.ts';
import type { EmulatorClient, EmulatorRequest } from './emulator-client.ts';
import type { Repository } from './github-objects.ts';
import type { Protections } from './protections.ts';
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
      `The local GitHub can't create its pull requests: ${input.method} ${input.path} ${answer.body}`,
    );
  }
  return answer.json as T;
}

async function protect(emulator: EmulatorClient, rulesets: Rulesets, repo: string): Promise<void> {
  const { id } = await request<{ id: number }>(emulator, { method: 'GET', path: `/repos/${repo}` });
  rulesets.require(id, 'main', [OUR_CHECK]);
}

/**
 * Protects the `main` branches so that not even administrators go around the check. The App may read branch protection
 * where it was granted its optional permissions, so it knows that nobody can.
 */
export async function bindEverybody(
  { emulator, protections }: { emulator: EmulatorClient; protections: Protections },
  repos: string[],
): Promise<void> {
  const checks = [{ context: OUR_CHECK.context, app_id: OUR_CHECK.integration_id ?? null }];
  const values = { checks, strict: false, needsPull: true, enforceAdmins: true };
  for (const repo of repos) {
    const repository = await request<Repository>(emulator, { method: 'GET', path: `/repos/${repo}` });
    protections.set(repository, 'main', values);
  }
}

type Commit = { sha: string };

/** Creates a branch at this commit, or else at the head of `main`. */
async function addBranch(
  emulator: EmulatorClient,
  { repo, branch, commit }: { repo: string; branch: string; commit?: string | undefined },
): Promise<void> {
  const path = `/repos/${repo}/git`;
  const headOfMain = async () =>
    (await request<{ object: Commit }>(emulator, { method: 'GET', path: `${path}/ref/heads/main` })).object
      .sha;
  const ref = { ref: `refs/heads/${branch}`, sha: commit ?? (await headOfMain()) };
  await request(emulator, { method: 'POST', path: `${path}/refs`, body: ref });
}

/** Changes the README on a new branch and opens a pull request as mona; returns the URL of its page. */
async function openPull(emulator: EmulatorClient, repo: string, monaToken: string): Promise<string> {
  const path = `/repos/${repo}`;
  await addBranch(emulator, { repo, branch: BRANCH });
  const readme = await request<Commit>(emulator, { method: 'GET', path: `${path}/contents/README.md` });
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

/** Opens a pull request of mona's with two commits, one of which Claude wrote. */
async function openWithClaude(emulator: EmulatorClient, repo: string, monaToken: string): Promise<void> {
  const signed = { repo, author: MONA };
  const parent = await readTip(emulator, repo, 'main');
  const tree = [textFile('languages.md', '# Languages\n\nGreets people in their own language.\n')];
  const first = await createCommit(emulator, { ...signed, parent, tree, message: 'List the languages' });
  const message = 'Greet in French\n\nCo-authored-by: Claude <noreply@anthropic.com>\n';
  const french = [textFile('french.md', 'Bonjour, octocat !\n')];
  const sha = await createCommit(emulator, { repo, author: CLAUDE, parent: first, tree: french, message });
  const body = { ref: 'refs/heads/languages', sha };
  await request(emulator, { method: 'POST', path: `/repos/${repo}/git/refs`, body });
  await request(emulator, {
    method: 'POST',
    path: `/repos/${repo}/pulls`,
    token: monaToken,
    body: { title: 'Greet people in their own language', head: 'languages', base: 'main' },
  });
}

export type InitialPull = { pull: string; orgID: number; otherOrgID: number };

/**
 * Protects the `main` branches with a ruleset and opens a pull request, one in the private repository if there is one, and
 * one with an agent's commit if it's wanted, which a seed of the emulator can't do.
 */
export async function createInitialPull(
  { emulator, rulesets }: { emulator: EmulatorClient; rulesets: Rulesets },
  { monaToken, hasVault, hasAgents }: { monaToken: string; hasVault: boolean; hasAgents: boolean },
): Promise<InitialPull> {
  const { org, repo, vault, otherOrg, otherRepo } = SEED;
  if (hasVault) {
    await protect(emulator, rulesets, `${org}/${vault}`);
    await openPull(emulator, `${org}/${vault}`, monaToken);
  }
  await protect(emulator, rulesets, `${org}/${repo}`);
  await protect(emulator, rulesets, `${otherOrg}/${otherRepo}`);
  const idOf = async (login: string) =>
    (await request<{ id: number }>(emulator, { method: 'GET', path: `/orgs/${login}` })).id;
  const [orgID, otherOrgID] = [await idOf(org), await idOf(otherOrg)];
  const pull = await openPull(emulator, `${org}/${repo}`, monaToken);
  if (hasAgents) await openWithClaude(emulator, `${org}/${repo}`, monaToken);
  return { orgID, otherOrgID, pull };
}

const fill = (text: string) => text.repeat(20).slice(0, 80);

/** Names of 80 characters without a space, in four scripts. */
export const LONG_NAMES = [
  fill('Update-every-dependency-'),
  fill('ОбновитьВсеЗависимости'),
  fill('تحديث-جميع-الاعتماديات-'),
  fill('依存関係をすべて更新する'),
];

const TITLES = [
  'Greet people in their own language',
  'Cut the time to the first answer by half',
  'Explain the settings on one page',
  'Stop asking twice for the same file',
  'Let the search find names with accents',
  'Draw the graph without a canvas',
  'Retry a request once, and say so',
  'Name what failed in the error page',
  'Remove the old date library',
  'Keep the order of the list when it reloads',
  'Test the parser with real mails',
  'Show who wrote the last change',
  'Make the dark colors a little warmer',
];

/** The last four of each twenty have a long name, so that a list by age begins with the others. */
function nameCrowdPull(number: number, count: number): { title: string; branch: string } {
  const name = LONG_NAMES[(count - number) % 20];
  if (name !== undefined) return { title: name.replaceAll('-', ' '), branch: `${name}-${number}` };
  return { title: TITLES[number % TITLES.length] ?? '', branch: `change-${number}` };
}

/**
 * Opens more pull requests in these repositories in turn; in each, by the bearers of `tokens` in turn. All in a
 * repository have the same head and need one check run: OTP Guard creates about 60 a minute, and lists a pull request
 * after that.
 */
export async function createCrowdPulls(
  emulator: EmulatorClient,
  { repos, count, tokens }: { repos: string[]; count: number; tokens: string[] },
): Promise<void> {
  const heads = new Map<string, string>();
  for (let number = 1; number <= count; number += 1) {
    const repo = repos[number % repos.length] ?? '';
    const { title, branch } = nameCrowdPull(number, count);
    await addBranch(emulator, { repo, branch, commit: heads.get(repo) });
    if (!heads.has(repo)) {
      const { commit } = await request<{ commit: Commit }>(emulator, {
        method: 'PUT',
        path: `/repos/${repo}/contents/CHANGES.md`,
        body: { message: 'Add changes', content: Buffer.from('# Changes\n').toString('base64'), branch },
      });
      heads.set(repo, commit.sha);
    }
    await request(emulator, {
      method: 'POST',
      path: `/repos/${repo}/pulls`,
      token: tokens[Math.floor(number / repos.length) % tokens.length] ?? '',
      body: { title, head: branch, base: 'main' },
    });
  }
}
