import {
  type GateKind,
  type Job,
  latestOf,
  type Review,
  type Run,
  statusOf,
  waitingJobs,
} from '../actions/run-state.ts';
import type { Repository } from '../github-objects.ts';
import { type Html, html, linkable } from './html.ts';

const STATES: Record<string, { text: string; tone: string }> = {
  queued: { text: 'Queued', tone: 'muted' },
  waiting: { text: 'Waiting', tone: 'wait' },
  success: { text: 'Succeeded', tone: 'good' },
  failure: { text: 'Failed', tone: 'bad' },
  cancelled: { text: 'Cancelled', tone: 'bad' },
  skipped: { text: 'Skipped', tone: 'muted' },
};

const REVIEWS: Record<Review['state'], string> = {
  approved: 'approved',
  rejected: 'rejected',
  pending: 'reported',
};

function badge({ status, conclusion }: { status: string; conclusion: string | null }): Html {
  const { text, tone } = STATES[conclusion ?? status] ?? { text: status, tone: 'muted' };
  return html`<span class="state ${tone}">${text}</span>`;
}

const pathOf = (repo: Repository, run: Run) => `/${repo.full_name}/actions/runs/${run.id}`;

/** The text with its links, and without the backslashes of Markdown; GitHub renders the rest of it, too. */
function commentText(comment: string): Html {
  // Each part of plain text is followed by the text and the address of a link.
  const parts = comment.split(/\[([^\]]+)\]\((\S+?)\)/);
  const shown = parts.map((part, at) => {
    const address = at % 3 === 1 ? linkable(parts[at + 1]) : undefined;
    const text = part.replace(/\\([!-/:-@[-`{-~])/g, '$1');
    return address ? html`<a href="${address}">${text}</a>` : html`${at % 3 !== 2 && text}`;
  });
  return html`<span dir="auto">${shown}</span>`;
}

/** A run in a list. */
export function runItem(repo: Repository, run: Run): Html {
  return html`<li>${badge(statusOf(latestOf(run)))}
<span class="grow"><a href="${pathOf(repo, run)}"><strong>${run.workflow.name} #${run.number}</strong></a><br>
<span class="muted">${run.event} by ${run.actor.login} on ${run.branch}</span></span></li>`;
}

function jobItem({ plan, status, conclusion, annotation }: Job): Html {
  const environment = plan.environment !== null && html`<br><span class="muted">${plan.environment}</span>`;
  const reason = annotation && html`<br><span class="bad">${annotation}</span>`;
  return html`<li>${badge({ status, conclusion })}
<span class="grow"><strong>${plan.name}</strong>${environment}${reason}</span></li>`;
}

const reviewItem = ({ state, user, comment, environments }: Review) => html`<li><span class="grow">
<strong>${user.login}</strong> ${REVIEWS[state]} <span class="muted">${environments.join(', ')}</span>
${comment && html`<br>${commentText(comment)}`}</span></li>`;

/** What an administrator can do about jobs that wait. */
function bypassForm(repo: Repository, run: Run): Html {
  return html`<form method="post" action="${pathOf(repo, run)}/start-waiting" class="actions">
<label>Comment <input type="text" name="comment" maxlength="200"></label>
<button class="blocked">Start all waiting jobs</button></form>`;
}

/** What octocat can do about GitHub's own rules. */
function ownRules(repo: Repository, run: Run): Html {
  const gates = waitingJobs(run).flatMap((job) => job.gates.filter(({ state }) => state === 'pending'));
  const waitsFor = (kind: GateKind) => gates.some((gate) => gate.kind === kind);
  return html`${
    waitsFor('reviewers') &&
    html`<p class="wait">A required reviewer has to approve.</p>
<form method="post" action="${pathOf(repo, run)}/review" class="actions"><button>Approve as octocat</button></form>`
  }
${
  waitsFor('timer') &&
  html`<p class="wait">The wait timer is running.</p>
<form method="post" action="${pathOf(repo, run)}/pass-timers" class="actions">
<button>Let the timer run out</button></form>`
}`;
}

function protectionSection(repo: Repository, run: Run): Html {
  const names = [...new Set(waitingJobs(run).map(({ plan }) => plan.environment))];
  const isWaiting = names.length > 0;
  return html`<section data-live><h2>Deployment protection rules</h2>
${isWaiting && html`<p class="wait">Jobs wait for <strong>${names.join(', ')}</strong>.</p>`}
${run.reviews.length > 0 && html`<ul class="list">${run.reviews.map(reviewItem)}</ul>`}
${!isWaiting && run.reviews.length === 0 && html`<p class="muted">No rule was asked.</p>`}
${ownRules(repo, run)}
${isWaiting && bypassForm(repo, run)}</section>`;
}

/** A run with its jobs, what they wait for, and what people can do about it. */
export function runPage(repo: Repository, run: Run, message: string | undefined): Html {
  const attempt = latestOf(run);
  const isCompleted = statusOf(attempt).status === 'completed';
  const [action, text] = isCompleted ? ['rerun', 'Re-run all jobs'] : ['cancel', 'Cancel run'];
  const isFork = run.headRepo !== run.repo;
  return html`<h1>${run.workflow.name} <span class="muted">#${run.number}</span></h1>
<p><span data-live>${badge(statusOf(attempt))}</span> ${attempt.actor.login} started attempt ${attempt.number} in
<a href="/${repo.full_name}">${repo.full_name}</a></p>
<p class="muted">${run.event} on <code>${run.branch}</code> ·
<a href="/${repo.full_name}/commit/${run.sha}"><code>${run.sha.slice(0, 8)}</code></a>${isFork && ' · from a fork'}</p>
${message && html`<section role="alert" class="bad"><p>${message}</p></section>`}
<section data-live><h2>Jobs</h2><ul class="list">${attempt.jobs.map(jobItem)}</ul></section>
${protectionSection(repo, run)}
<div data-live><form method="post" action="${pathOf(repo, run)}/${action}"><button>${text}</button></form></div>`;
}
