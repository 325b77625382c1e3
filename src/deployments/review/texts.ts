import { escapeText, markdownLink } from '../../approvals/check-run/markdown.ts';
import type { Decision } from '../../approvals/ports.ts';
import { authenticatorKinds } from '../../contract/authenticator-kinds.ts';
import { listWords } from '../../contract/rule-words.ts';
import { deployUrl, receiptsUrl } from '../../shared/deployment-links.ts';
import type { Origins } from '../../shared/links.ts';
import { type JudgedDeployment, needsOf, type ShownRun } from '../judge/judge-deployment.ts';

// Every text that GitHub shows about a deployment: Markdown, of at most 1,024 characters (docs.github.com, "REST API
// endpoints for workflow runs"). GitHub counts bytes of UTF-8 where it documents characters of a check run, so we do here.

const LONGEST = 1_024;
const ELLIPSIS_BYTES = 3;

/** A longer link leaves too little room: the 255 letters of an environment can take 3,000 signs of an address. */
const LONGEST_LINK = 700;

function pageLink(origins: Origins, { repo, run, environment, org }: ShownRun, text: string): string {
  const url = deployUrl(origins, { ...repo, ownerId: org.orgId }, { run: run.id, environment });
  const link = markdownLink(text, url);
  return link.length > LONGEST_LINK ? text : link;
}

/** What jobs wait for, with the link to the page that decides. It can have the reason of a denial in it. */
export function waitingText(origins: Origins, shown: ShownRun, judged: JudgedDeployment): string {
  const link = pageLink(origins, shown, 'Approve or reject it in OTP Guard');
  return `${link}. ${fitting(escapeText(needsOf(judged) ?? ''), LONGEST - link.length - 2)}`;
}

/** Where it was decided, with the receipts unless they leave less than half of the room for who decided and why. */
function decidedIn(origins: Origins, shown: ShownRun): string {
  const { repo, run, org } = shown;
  const page = `${attemptOf(shown)} in ${pageLink(origins, shown, 'OTP Guard')}`;
  const url = receiptsUrl(origins, { ...repo, id: run.repoId, ownerId: org.orgId }, run.head);
  const withReceipts = `${page} (${markdownLink('receipts', url)})`;
  return withReceipts.length <= LONGEST / 2 ? withReceipts : page;
}

/** GitHub lists the reviews of all attempts of a run together, and without their times. */
const attemptOf = ({ run: { attempt } }: ShownRun) => (attempt > 1 ? ` for attempt ${attempt}` : '');

/** Who approved, with what, and the receipts. */
export function approvedText(origins: Origins, shown: ShownRun, { approvals }: JudgedDeployment): string {
  if (approvals.length === 0)
    return `It needs no approval${attemptOf(shown)} in ${pageLink(origins, shown, 'OTP Guard')}, by the organization's policy.`;
  const end = `${decidedIn(origins, shown)}.`;
  return fitting(`Approved by ${listWords(approvals.map(byWords), 'and')}`, LONGEST - end.length) + end;
}

export function rejectedText(origins: Origins, shown: ShownRun, rejection: Decision): string {
  const start = `Rejected by ${byWords(rejection)}${decidedIn(origins, shown)}`;
  const { reason } = rejection;
  return reason ? `${start}: ${fitting(escapeText(reason), LONGEST - start.length - 2)}` : `${start}.`;
}

/** Why OTP Guard refuses a run that nobody may approve. */
export const REFUSALS = {
  fork: 'OTP Guard refused this: the commit comes from a fork, and nobody can approve its deployment.',
  otherCommit: "OTP Guard refused this: the run's commit isn't the one that GitHub asked about.",
} as const;

const byWords = ({ login, method }: Decision) =>
  `@${escapeText(login)} with ${authenticatorKinds[method].method}`;

/** A cut text ends with a whole character, and before an escaped one, so that the backslash never stays alone. */
function fitting(text: string, room: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= room) return text;
  const whole = new TextDecoder().decode(bytes.subarray(0, room - ELLIPSIS_BYTES), { stream: true });
  return `${whole.replace(/\\$/, '')}…`;
}
