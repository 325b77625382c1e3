import { type Origins, pullUrl } from '../../shared/links.ts';
import { codeSpan } from '../check-run/markdown.ts';
import { short } from '../check-run/texts.ts';
import type { CheckRunContent, MergeGroup, PullRequest } from '../ports.ts';
import type { JudgedGroup } from './judge-merge-group.ts';

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
  const advice = judged.isFinal ? 'When the check of the pull request passes, add' : 'Add';
  const summary = `${judged.because} ${advice} it to the queue again.`;
  return { status: 'completed', conclusion: 'failure', detailsUrl, title: `#${pr} may not merge`, summary };
}
