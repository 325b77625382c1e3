import { authenticatorKinds } from '../contract/authenticator-kinds.ts';
import { approvalUrl, type Origins, pullsWithHeadUrl, pullUrl } from '../links.ts';
import type { RepositoryRef } from '../organizations/ports.ts';
import { joinWithin, LONGEST } from './check-run-limits.ts';
import type { JudgedPull, Verdict } from './judge.ts';
import type { JudgedGroup } from './judge-merge-group.ts';
import { codeSpan, escapeText, markdownLink } from './markdown.ts';
import type { Approval, CheckRunContent, MergeGroup, PullRequest } from './ports.ts';

// Every text that a check run shows. Of what a stranger chose, they contain only names, and titles inside links.

/** The run of a pull request's head. */
export function headContent(origins: Origins, repo: RepositoryRef, verdict: Verdict): CheckRunContent {
  const waiting = verdict.pulls.filter(isWaiting).map(({ pull }) => pull);
  const linked = waiting[0] ?? verdict.pulls[0]?.pull;
  const detailsUrl = linked ? approvalUrl(origins, repo, linked) : origins.publicUrl;
  const summary = headSummary(origins, repo, verdict);
  if (!verdict.passed) {
    return { status: 'in_progress', detailsUrl, title: waitingTitle(verdict, waiting), summary };
  }
  const logins = [...new Set(verdict.pulls.map(({ approval }) => approval?.login ?? ''))];
  return {
    status: 'completed',
    conclusion: 'success',
    detailsUrl,
    title: titleOf('Approved by ', logins),
    summary,
  };
}

/** A line for each pull request. Those that wait come first, because what doesn't fit is left out. */
function headSummary(origins: Origins, repo: RepositoryRef, { pulls }: Verdict): string {
  const [first] = pulls;
  if (!first) return 'No open pull request has this commit.';
  const waiting = pulls.filter(isWaiting).map(({ pull }) => waitingLine(origins, repo, pull));
  const approved = pulls.flatMap(({ pull, approval }) => {
    if (!approval) return [];
    // An approval that holds must not look withdrawn because another pull request has the same head.
    const start = waiting.length > 0 ? `#${pull.number} is approved: ` : '';
    return start + approvedLine(pull, approval);
  });
  const rest = (count: number) => {
    const text = `${count} more pull ${count === 1 ? 'request' : 'requests'}`;
    return `… and ${markdownLink(text, pullsWithHeadUrl(origins, first.pull))}.`;
  };
  return joinWithin(LONGEST.summary, [...waiting, ...approved], { separator: '\n\n', rest });
}

const isWaiting = ({ approval }: JudgedPull) => approval === null;

function waitingTitle({ pulls }: Verdict, waiting: PullRequest[]): string {
  if (pulls.length < 2) return 'Waiting for an approval';
  const names = waiting.map(({ number, author }) => `#${number} by ${author?.login ?? 'a deleted account'}`);
  return titleOf(waiting.length < 2 ? 'Waiting for an approval of ' : 'Waiting for approvals of ', names);
}

/** GitHub shows titles as plain text. */
function titleOf(start: string, names: string[]): string {
  const limit = LONGEST.title - Buffer.byteLength(start);
  return start + joinWithin(limit, names, { separator: ', ', rest: (count) => `and ${count} more` });
}

function waitingLine(origins: Origins, repo: RepositoryRef, pull: PullRequest): string {
  const link = markdownLink('Approve it', approvalUrl(origins, repo, pull));
  const number = markdownLink(`#${pull.number}`, pullUrl(origins, pull));
  const author = pull.author ? `@${escapeText(pull.author.login)}` : 'a deleted account';
  return (
    `Commit \`${short(pull.head)}\` of ${number} by ${author} into ${codeSpan(pull.base)} is waiting for a member ` +
    `of ${escapeText(pull.repo.owner)}. ${link}.`
  );
}

function approvedLine(pull: PullRequest, approval: Approval): string {
  const verified = approval.userVerified ? ', user verified' : '';
  const at = approval.at.toISOString().slice(0, 16).replace('T', ' ');
  const signedFor = approval.pr === pull.number ? '' : `, signed for #${approval.pr}`;
  return (
    `@${escapeText(approval.login)} approved commit \`${short(pull.head)}\` of #${pull.number} into ` +
    `${codeSpan(pull.base)} with ${authenticatorKinds[approval.method].method}${verified}, on ${at} UTC${signedFor}.`
  );
}

/** A run that exists for a moment before it is completed as a success. */
export function aboutToPass({ detailsUrl, summary }: CheckRunContent): CheckRunContent {
  return { status: 'in_progress', detailsUrl, title: 'One moment', summary };
}

/** The parts of a check run without which GitHub accepts none. */
export type MinimalContent = Omit<CheckRunContent, 'detailsUrl'>;

/** The content to write if GitHub refuses `content`: nothing in it depends on anything but the verdict. */
export function minimalContent({ status, conclusion }: CheckRunContent): MinimalContent {
  return {
    status,
    ...(conclusion && { conclusion }),
    title: minimalTitles[conclusion ?? 'pending'],
    summary:
      'GitHub refused the full text of this check. ' +
      "Owners find the pull requests that wait for an approval on the organization's page in OTP Guard.",
  };
}

const minimalTitles = {
  pending: 'Not approved yet',
  success: 'Approved',
  failure: 'May not merge',
  cancelled: 'OTP Guard is installed',
};

/** The run on a default branch that makes the check selectable in a rule. It says nothing about an approval. */
export function selectableContent(origins: Origins): CheckRunContent {
  return {
    status: 'completed',
    // GitHub must not count it as passed: nobody approved this commit, and it can become a pull request's head.
    conclusion: 'cancelled',
    detailsUrl: origins.publicUrl,
    title: 'OTP Guard is installed',
    summary:
      'Pull requests get this check from now on. Require it in a ruleset or in branch protection, with this App as its source.',
  };
}

/** The run of a merge group, whose pull request is null if the App can't see it. */
export function mergeGroupContent(
  origins: Origins,
  { pr, base }: MergeGroup,
  { pull, judged }: { pull: PullRequest | null; judged: JudgedGroup },
): CheckRunContent {
  const detailsUrl = pull ? pullUrl(origins, pull) : origins.publicUrl;
  if (judged.verdict === 'passed') {
    const title = `#${pr} is approved`;
    const summary = `#${pr} was approved at \`${pull && short(pull.head)}\` for ${codeSpan(base)}.`;
    return { status: 'completed', conclusion: 'success', detailsUrl, title, summary };
  }
  if (judged.verdict === 'waiting') {
    const summary = `#${pr} is approved. ${judged.because} OTP Guard waits up to 60 minutes for it.`;
    return { status: 'in_progress', detailsUrl, title: `#${pr} waits for the group before it`, summary };
  }
  const advice = judged.isFinal ? 'Approve the pull request, then add' : 'Add';
  const summary = `${judged.because} ${advice} it to the queue again.`;
  return { status: 'completed', conclusion: 'failure', detailsUrl, title: `#${pr} may not merge`, summary };
}

const short = (sha: string) => sha.slice(0, 8);
