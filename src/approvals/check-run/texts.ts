import { type Origins, pullUrl } from '../../shared/links.ts';
import type { JudgedGroup } from '../merge-queue/judge-merge-group.ts';
import type { CheckRunContent, MergeGroup, PullRequest } from '../ports.ts';
import { codeSpan } from './markdown.ts';

// Every text that a check run shows, except of a pull request's head (head-content.ts). Of what a stranger chose, they contain only names, and titles inside links.

/** A run that exists for a moment before it is completed as a success. */
export function aboutToPass({ detailsUrl, summary }: CheckRunContent): CheckRunContent {
  return { status: 'in_progress', detailsUrl, title: 'One moment', summary };
}

/** The parts of a check run without which GitHub accepts none. */
export type MinimalContent = Omit<CheckRunContent, 'detailsUrl'>;

/** The content to write if GitHub refuses `content`: nothing in it depends on anything but the verdict and the log. */
export function minimalContent({ status, conclusion, log }: CheckRunContent): MinimalContent {
  return {
    status,
    ...(conclusion && { conclusion }),
    ...(log && { log }),
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
