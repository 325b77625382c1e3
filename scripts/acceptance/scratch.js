// The scratch repository in which the acceptance script tries things, and the requests that several tries share.
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** Not the name that rules require: a success of that one must only come from an approval. */
export const TRIED_CHECK = 'OTP Guard acceptance';
const DETAILS = 'https://example.com/otp-guard-acceptance';
const OUTPUT = { title: 'Trying what OTP Guard assumes', summary: 'Means nothing, and can be ignored.' };
const POLL_MS = 500;
/** GitHub's answers about things that don't exist: a change never happened, or GitHub took it back itself. */
const GONE = [404, 422];

export const PENDING = { status: 'in_progress' };
export const completed = (conclusion) => ({ status: 'completed', conclusion });

/**
 * Reads the repository and finds the App's installation in it. Changes nothing.
 *
 * @throws an Error if the script may not or can't work there.
 */
export async function openScratch({ app, appId, person, asInstallation, name, signal }) {
  const [owner, repo] = name.split('/');
  const at = { owner, repo };
  const { data, headers } = await person.rest.repos
    .get(at)
    .catch(refuseAs('GITHUB_TOKEN doesn’t show this repository'));
  if (data.full_name.toLowerCase() !== name.toLowerCase())
    throw new Error(`This repository is ${data.full_name} now. Give that name.`);
  if (data.permissions?.admin === false)
    throw new Error('GITHUB_TOKEN must be of somebody who administers this repository.');
  const { data: open } = await person.rest.pulls.list({ ...at, state: 'open', per_page: 1 });
  if (open.length > 0)
    throw new Error('This repository has open pull requests, so it isn’t a scratch repository.');
  const { data: found } = await app.rest.apps
    .getRepoInstallation(at)
    .catch(refuseAs('The App isn’t installed in this repository'));
  return {
    ...{ at, id: data.id, defaultBranch: data.default_branch, person, app, appId, signal },
    enterpriseVersion: headers['x-github-enterprise-version'],
    installation: await asInstallation(found.id),
    undo: createUndo(),
    prefix: `otp-guard-acceptance-${randomBytes(4).toString('hex')}`,
  };
}

const refuseAs = (reason) => (error) => {
  throw new Error(`${reason}: ${reasonOf(error)}.`);
};

/** Why a request failed, without anything of the request but its path. */
export function reasonOf({ status, request }) {
  if (!status || !request) return 'GitHub didn’t answer';
  return `GitHub answered ${status} to ${request.method} ${new URL(request.url).pathname}`;
}

/** Takes changes back, the newest first. Call `add` before a change, because its answer can be lost. */
function createUndo() {
  const steps = [];
  return {
    add: (what, undo) => void steps.push({ what, undo }),
    /** Resolves to the descriptions of the changes that couldn't be taken back. */
    async run() {
      const left = [];
      for (const { what, undo } of steps.splice(0).reverse())
        await undo().catch(({ status }) => {
          if (!GONE.includes(status)) left.push(what);
        });
      return left;
    },
  };
}

/** Creates a branch, and deletes it at the end. */
export async function createBranch({ person, at, undo, signal }, name, sha) {
  undo.add(`the branch ${name}`, () => person.rest.git.deleteRef({ ...at, ref: `heads/${name}` }));
  signal.throwIfAborted();
  await person.rest.git.createRef({ ...at, ref: `refs/heads/${name}`, sha });
}

/** The newest commit of the default branch. */
export async function tipOf({ person, at, defaultBranch }) {
  const { data } = await person.rest.git.getRef({ ...at, ref: `heads/${defaultBranch}` });
  return data.object.sha;
}

/** Commits a new file to a branch. Resolves to the commit. */
export async function commitFile({ person, at }, branch, message) {
  const file = { path: `${branch}.txt`, content: Buffer.from(branch).toString('base64') };
  const { data } = await person.rest.repos.createOrUpdateFileContents({ ...at, ...file, branch, message });
  return data.commit.sha;
}

/** Opens a pull request between two new branches, so that nothing touches the default branch. */
export async function openPull(scratch) {
  const { person, at, undo, prefix, signal } = scratch;
  const tip = await tipOf(scratch);
  const [base, branch] = [`${prefix}-base`, `${prefix}-head`];
  for (const name of [base, branch]) await createBranch(scratch, name, tip);
  await commitFile(scratch, branch, `Add ${prefix}`);
  undo.add(`the pull request from ${branch}`, () => closeFrom(scratch, branch));
  signal.throwIfAborted();
  const askedAt = new Date();
  const title = 'Try what OTP Guard assumes about GitHub';
  const body = 'Opened by `scripts/acceptance.js`, which closes it again.';
  const { data } = await person.rest.pulls.create({ ...at, head: branch, base, title, body });
  return { number: data.number, head: data.head.sha, branch, base, askedAt };
}

/** Finds the pull request by its branch: the answer that had its number may have been lost. */
async function closeFrom({ person, at }, branch) {
  const { data } = await person.rest.pulls.list({ ...at, state: 'open', head: `${at.owner}:${branch}` });
  for (const { number, head } of data)
    if (head.ref === branch) await person.rest.pulls.update({ ...at, pull_number: number, state: 'closed' });
}

/** Creates a check run as the App. Resolves to its id. */
export async function createRun({ installation, at, signal }, head, state, name = TRIED_CHECK) {
  signal.throwIfAborted();
  const run = { name, head_sha: head, ...state, details_url: DETAILS, output: OUTPUT };
  const { data } = await installation.rest.checks.create({ ...at, ...run });
  return data.id;
}

export async function updateRun({ installation, at, signal }, id, state) {
  signal.throwIfAborted();
  const { data } = await installation.rest.checks.update({ ...at, check_run_id: id, ...state });
  return data;
}

export async function readRun({ installation, at }, id) {
  const { data } = await installation.rest.checks.get({ ...at, check_run_id: id });
  return data;
}

/** Finds a webhook about this repository among the newest 100 that GitHub sent to the App, arrived or not. */
export async function findWebhook({ app, id: repositoryId }, { event, action, matches }) {
  const { data } = await app.request('GET /app/hook/deliveries', { per_page: 100 });
  const about = data.filter(
    (one) => one.event === event && one.action === action && Number(one.repository_id) === repositoryId,
  );
  for (const { id: delivery_id, delivered_at } of about) {
    const { data: whole } = await app.request('GET /app/hook/deliveries/{delivery_id}', { delivery_id });
    const payload = whole.request.payload ?? {};
    if (matches(payload)) return { at: new Date(delivered_at), payload };
  }
  return undefined;
}

/** Reads until there is something; resolves to undefined when the time is over. */
export async function poll({ signal }, patienceMs, read) {
  const end = performance.now() + patienceMs;
  for (let wait = POLL_MS; ; wait = Math.min(wait * 2, 8 * POLL_MS)) {
    signal.throwIfAborted();
    const found = await read();
    if (found !== undefined || performance.now() > end) return found;
    await pause(wait, undefined, { signal });
  }
}
