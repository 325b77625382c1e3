import { createHash } from 'node:crypto';
import type { PullCommit } from '../agents-work.ts';
import type { ChangedFile, CheckRun, Pull } from '../github-objects.ts';
import { type Html, html, linkable } from './html.ts';

const STATES: Record<string, { text: string; tone: string }> = {
  queued: { text: 'Queued', tone: 'wait' },
  in_progress: { text: 'In progress', tone: 'wait' },
  success: { text: 'Succeeded', tone: 'good' },
  neutral: { text: 'Neutral', tone: 'muted' },
  skipped: { text: 'Skipped', tone: 'muted' },
  failure: { text: 'Failed', tone: 'bad' },
  cancelled: { text: 'Cancelled', tone: 'bad' },
  timed_out: { text: 'Timed out', tone: 'bad' },
  action_required: { text: 'Action required', tone: 'wait' },
  stale: { text: 'Stale', tone: 'wait' },
};

const stateOf = (run: CheckRun) => {
  const key = run.status === 'completed' ? (run.conclusion ?? '') : run.status;
  return STATES[key] ?? { text: key, tone: 'muted' };
};

const pathOf = (pull: Pull) => `/${pull.base.repo.full_name}/pull/${pull.number}`;

const shortSha = (sha: string) => html`<code>${sha.slice(0, 8)}</code>`;

function pullState(pull: Pull): Html {
  if (pull.merged) return html`<span class="state done">Merged</span>`;
  if (pull.state === 'closed') return html`<span class="state bad">Closed</span>`;
  if (pull.draft) return html`<span class="state muted">Draft</span>`;
  return html`<span class="state good">Open</span>`;
}

function checkItem(run: CheckRun): Html {
  const { text, tone } = stateOf(run);
  const details = linkable(run.details_url);
  const title = run.output.title && html`<br><span class="muted">${run.output.title}</span>`;
  return html`<li>
<span class="state ${tone}">${text}</span>
<span class="grow"><strong id="run-${run.id}">${run.name}</strong>${title}</span>
${details && html`<a class="details" href="${details}" aria-describedby="run-${run.id}">Details</a>`}
</li>`;
}

/** GitHub would refuse the merge: the button can be pressed all the same, and the answer says why. */
function blockedMerge(pull: Pull, missing: string): Html {
  return html`<p class="bad" id="blocked"><strong>Merging is blocked.</strong>
The required check “${missing}” hasn't succeeded for this commit.</p>
<div class="actions">
<form method="post" action="${pathOf(pull)}/merge">
<button class="blocked" aria-describedby="blocked">Merge pull request</button></form>
${pushForm(pull)}
</div>`;
}

const pushForm = (pull: Pull) =>
  html`<form method="post" action="${pathOf(pull)}/push"><button>Push a commit</button></form>`;

const byMachine = ({ author }: PullCommit) => author?.type === 'Bot';

/** The commits with their authors. Those of machines can be taken away as long as another one stays. */
function commitSection({ pull, commits }: PullView): Html {
  const canRebase = pull.state === 'open' && commits.some(byMachine) && !commits.every(byMachine);
  const items = commits.map(
    ({
      sha,
      commit,
      author,
    }) => html`<li><span class="grow" dir="auto">${commit.message.split('\n')[0]}</span>
<span class="muted">${author?.login ?? commit.author.name}</span> ${shortSha(sha)}</li>`,
  );
  return html`<ul class="list">${items}</ul>${
    canRebase &&
    html`<div class="actions">
<form method="post" action="${pathOf(pull)}/rebase"><button>Rebase without the agent’s commits</button></form></div>`
  }`;
}

/** The people of the story, who can be assigned with a button. */
const PEOPLE = ['octocat', 'mona'];

function assigneeSection(pull: Pull): Html {
  const assigned = pull.assignees.map(({ login }) => login);
  const formOf = (login: string, action: 'assign' | 'unassign', word: string) =>
    html`<form method="post" action="${pathOf(pull)}/${action}"><input type="hidden" name="login" value="${login}">
<button>${word} ${login}</button></form>`;
  const others = PEOPLE.filter((login) => !assigned.includes(login));
  return html`<p>${assigned.length > 0 ? assigned.join(', ') : 'Nobody is assigned.'}</p><div class="actions">
${assigned.map((login) => formOf(login, 'unassign', 'Unassign'))}
${others.map((login) => formOf(login, 'assign', 'Assign'))}</div>`;
}

function mergeSection({ pull, missing }: PullView): Html {
  if (pull.merged) return html`<p role="status" class="done">Merged into <code>${pull.base.ref}</code>.</p>`;
  if (pull.state !== 'open') return html`<p>This pull request is closed.</p>`;
  if (missing !== undefined) return blockedMerge(pull, missing);
  return html`<div class="actions">
<form method="post" action="${pathOf(pull)}/merge"><button class="primary">Merge pull request</button></form>
${pushForm(pull)}
</div>`;
}

export type PullView = {
  pull: Pull;
  checks: readonly CheckRun[];
  commits: readonly PullCommit[];
  /** The required check for whose lack GitHub would refuse the merge. */
  missing: string | undefined;
  message: string | undefined;
};

/** A pull request, its checks with their links, and the buttons to merge it, to push a commit, and to assign people. */
export function pullPage(view: PullView): Html {
  const { pull, checks, message } = view;
  const author = pull.user?.login ?? 'ghost';
  const list = html`<ul class="list">${checks.map(checkItem)}</ul>`;
  return html`<h1 dir="auto">${pull.title} <span class="muted">#${pull.number}</span></h1>
<p><span data-live>${pullState(pull)}</span>
<img src="/avatars/u/${encodeURIComponent(author)}" width="20" height="20" alt="">
<a href="/${encodeURIComponent(author)}">${author}</a> wants to merge
<code>${pull.head.ref}</code> into <code>${pull.base.ref}</code> of
<a href="/${pull.base.repo.full_name}">${pull.base.repo.full_name}</a></p>
<p class="muted" data-live>Head <a href="/${pull.base.repo.full_name}/commit/${pull.head.sha}">${shortSha(pull.head.sha)}</a> ·
<a href="${pathOf(pull)}/files">Files changed</a></p>
${message && html`<section role="alert" class="bad"><p>${message}</p></section>`}
${pull.body && html`<section><pre dir="auto">${pull.body}</pre></section>`}
<section data-live><h2>Checks</h2>
${checks.length > 0 ? list : html`<p class="muted">No check has reported for this commit.</p>`}</section>
<section data-live><h2>Merge</h2>${mergeSection(view)}</section>
<section data-live><h2>Commits</h2>${commitSection(view)}</section>
<section data-live><h2>Assignees</h2>${assigneeSection(pull)}</section>`;
}

/** The changed files with their patches, at the places that GitHub's pages have for them. */
export function filesPage(heading: Html, files: readonly ChangedFile[]): Html {
  const sections = files.map((file) => {
    const counts = html`<span class="good">+${file.additions}</span> <span class="bad">−${file.deletions}</span>`;
    const anchor = createHash('sha256').update(file.filename).digest('hex');
    return html`<section id="diff-${anchor}"><h2><code>${file.filename}</code> <span class="muted">${file.status}</span> ${counts}</h2>
${file.patch && html`<pre>${file.patch}</pre>`}</section>`;
  });
  return html`${heading}${files.length > 0 ? sections : html`<p class="muted">No file changed.</p>`}`;
}

/** A pull request in a list. */
export function pullItem(pull: Pull): Html {
  return html`<li>${pullState(pull)}
<span class="grow"><a href="${pathOf(pull)}"><strong><bdi>${pull.title}</bdi></strong></a><br>
<span class="muted">${pull.base.repo.full_name} #${pull.number} by ${pull.user?.login ?? 'ghost'}</span></span></li>`;
}

/** A check run's page, with the link to its details. */
export function runPage(run: CheckRun): Html {
  const { text, tone } = stateOf(run);
  const details = linkable(run.details_url);
  return html`<h1>${run.name}</h1>
<p><span class="state ${tone}">${text}</span> for ${shortSha(run.head_sha)}</p>
<section><h2>${run.output.title ?? 'No title'}</h2>
${run.output.summary && summaryText(run.output.summary)}</section>
${details && html`<p><a href="${details}">Resolve</a></p>`}`;
}

/** GitHub renders the Markdown. This page shows its source, and folds what GitHub folds. */
function summaryText(summary: string): Html {
  const [text, title, folded] = summary.split(/<details><summary>(.*)<\/summary>\n\n|\n\n<\/details>/);
  return html`<pre>${text}</pre>
${folded && html`<details><summary>${title}</summary><pre>${folded}</pre></details>`}`;
}
