import { authenticatorKinds } from '../contract/authenticator-kinds.ts';
import { approvalUrl, type Origins, pullUrl } from '../links.ts';
import type { RepositoryRef } from '../organizations/ports.ts';
import type { Verdict } from './judge.ts';
import type { Approval, CheckRunContent, MergeGroup, PullRequest } from './ports.ts';

// Every text that a check run shows. The texts contain nothing that a stranger chose.

/** The run of a pull request's head. */
export function headContent(origins: Origins, repo: RepositoryRef, verdict: Verdict): CheckRunContent {
  const waiting = verdict.pulls.filter(({ approval }) => approval === null).map(({ pull }) => pull);
  const linked = waiting[0] ?? verdict.pulls[0]?.pull;
  const detailsUrl = linked ? approvalUrl(origins, repo, linked) : origins.publicUrl;
  const summary = verdict.pulls
    .map(({ pull, approval }) => (approval ? approvedLine(pull, approval) : waitingLine(origins, repo, pull)))
    .join('\n\n');
  if (!verdict.passed) {
    return { status: 'in_progress', detailsUrl, title: waitingTitle(waiting), summary };
  }
  const logins = [...new Set(verdict.pulls.map(({ approval }) => approval?.login))];
  return {
    status: 'completed',
    conclusion: 'success',
    detailsUrl,
    title: `Approved by ${logins.join(', ')}`,
    summary,
  };
}

function waitingTitle(waiting: PullRequest[]): string {
  if (waiting.length < 2) return 'Waiting for an approval';
  return `Waiting for approvals of ${waiting.map(({ number }) => `#${number}`).join(', ')}`;
}

function waitingLine(origins: Origins, repo: RepositoryRef, pull: PullRequest): string {
  return (
    `Commit \`${short(pull.head)}\` of #${pull.number} into \`${pull.base}\` is waiting for a member of ` +
    `${pull.repo.owner}. [Approve it](${approvalUrl(origins, repo, pull)}).`
  );
}

function approvedLine(pull: PullRequest, approval: Approval): string {
  const verified = approval.userVerified ? ', user verified' : '';
  const at = approval.at.toISOString().slice(0, 16).replace('T', ' ');
  return (
    `@${approval.login} approved commit \`${short(pull.head)}\` of #${pull.number} into \`${pull.base}\` ` +
    `with ${authenticatorKinds[approval.method].method}${verified}, on ${at} UTC.`
  );
}

/** A run that exists for a moment before it is completed as a success. */
export function aboutToPass({ detailsUrl, summary }: CheckRunContent): CheckRunContent {
  return { status: 'in_progress', detailsUrl, title: 'One moment', summary };
}

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

/** The run of a merge group. @param obstacle Why the group may not merge; null if it may. */
export function mergeGroupContent(
  origins: Origins,
  group: MergeGroup,
  { pull, obstacle }: { pull: PullRequest | null; obstacle: string | null },
): CheckRunContent {
  const detailsUrl = pull ? pullUrl(origins, pull) : origins.publicUrl;
  if (obstacle === null) {
    return {
      status: 'completed',
      conclusion: 'success',
      detailsUrl,
      title: `#${group.pr} is approved`,
      summary: `#${group.pr} was approved at \`${pull && short(pull.head)}\` for \`${group.base}\`.`,
    };
  }
  return {
    status: 'completed',
    conclusion: 'failure',
    detailsUrl,
    title: `#${group.pr} may not merge`,
    summary: `${obstacle} Approve the pull request, then add it to the queue again.`,
  };
}

/** Why a merge group may not merge, in one sentence each. */
export const mergeObstacles = {
  failedBefore: (pr: number) => `#${pr} couldn't merge when this group was created.`,
  headMoved: (pr: number) => `#${pr} has a different commit than when this group was created.`,
  notOpen: (pr: number) => `#${pr} isn't an open pull request.`,
  otherBase: (pr: number, base: string, queue: string) =>
    `#${pr} goes into \`${base}\`, not into \`${queue}\`.`,
  notApproved: (pr: number, head: string) => `Nobody has approved commit \`${short(head)}\` of #${pr}.`,
  unknownBase: () => "The group is built on another group that OTP Guard doesn't know.",
  baseFailed: (pr: number) => `#${pr}, which this group is built on, may not merge.`,
};

const short = (sha: string) => sha.slice(0, 8);
