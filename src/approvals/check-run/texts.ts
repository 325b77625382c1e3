import { authenticatorKinds } from '../../contract/authenticator-kinds.ts';
import type { RepositoryRef } from '../../organizations/ports.ts';
import { approvalUrl, type Origins, pullsWithHeadUrl, pullUrl } from '../../shared/links.ts';
import { isRuled, type JudgedPull, type Verdict } from '../judge/judge.ts';
import type { Approval, CheckRunContent, PullRequest, ShownContent } from '../ports.ts';
import { codeSpan, escapeText, joinWithin, LONGEST, markdownLink } from './markdown.ts';

// These functions make every text that a check run shows. Of a stranger's words, the texts contain only names, and
// titles inside links.

/** A run that exists for a moment before it is completed as a success. */
export function aboutToPass({ detailsUrl, summary }: CheckRunContent): CheckRunContent {
  return { status: 'in_progress', detailsUrl, title: 'One moment', summary };
}

/** The content to write if GitHub refuses `content`: nothing in it depends on anything but the verdict and the log. */
export function minimalContent({ status, conclusion, log }: ShownContent): ShownContent {
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

export const short = (sha: string) => sha.slice(0, 8);

/** The run of a pull request's head. */
export function headContent(origins: Origins, repo: RepositoryRef, verdict: Verdict): CheckRunContent {
  const waiting = verdict.pulls.filter(({ passed }) => !passed);
  const linked = (waiting[0] ?? verdict.pulls[0])?.pull;
  const detailsUrl = linked ? approvalUrl(origins, repo, linked) : origins.publicUrl;
  const summary = headSummary(origins, repo, verdict);
  if (!verdict.passed) {
    return { status: 'in_progress', detailsUrl, title: waitingTitle(verdict, waiting), summary };
  }
  return { status: 'completed', conclusion: 'success', detailsUrl, title: passedTitle(verdict), summary };
}

/** A paragraph for each pull request. Waiting ones come first, because what doesn't fit is left out. */
function headSummary(origins: Origins, repo: RepositoryRef, { pulls }: Verdict): string {
  const [first] = pulls;
  if (!first) return 'No open pull request has this commit.';
  const waiting = pulls.filter(({ passed }) => !passed).map((judged) => waitingPart(origins, repo, judged));
  const passed = pulls.filter((judged) => judged.passed);
  const parts = [...waiting, ...passed.map((judged) => passedPart(judged, waiting.length > 0))];
  const rest = (count: number) => {
    const text = `${count} more pull ${count === 1 ? 'request' : 'requests'}`;
    return `… and ${markdownLink(text, pullsWithHeadUrl(origins, first.pull))}.`;
  };
  return joinWithin(LONGEST.summary, parts, { separator: '\n\n', rest });
}

function waitingTitle({ pulls }: Verdict, waiting: JudgedPull[]): string {
  const [first] = pulls;
  if (first && pulls.length === 1) {
    const unmet = first.rules.filter(({ enforced, met, name }) => enforced && !met && name !== '');
    if (unmet.length === 0) return 'Waiting for an approval';
    return titleOf(
      'Not approved yet: ',
      unmet.map(({ name }) => name),
    );
  }
  const names = waiting.map(
    ({ pull: { number, author } }) => `#${number} by ${author?.login ?? 'a deleted account'}`,
  );
  return titleOf(waiting.length < 2 ? 'Waiting for an approval of ' : 'Waiting for approvals of ', names);
}

function passedTitle({ pulls }: Verdict): string {
  const logins = new Set(pulls.flatMap(({ approvals }) => approvals.map(({ login }) => login)));
  if (logins.size > 0) return titleOf('Approved by ', [...logins]);
  const rules = pulls.flatMap((judged) => judged.rules.filter(({ enforced }) => enforced));
  return titleOf('No approval needed: ', [...new Set(rules.map(({ name }) => name))]);
}

/** GitHub shows titles as plain text. */
function titleOf(start: string, names: string[]): string {
  const limit = LONGEST.title - Buffer.byteLength(start);
  return start + joinWithin(limit, names, { separator: ', ', rest: (count) => `and ${count} more` });
}

/** Leaves room for a second pull request, and for the number of pull requests that don't fit. */
const LONGEST_PART = LONGEST.summary / 2 - 200;

/** Joins as many lines about one pull request as fit. */
const partOf = (lines: string[]) =>
  joinWithin(LONGEST_PART, lines, {
    separator: '\n\n',
    rest: (count) => `… and ${count} more ${count === 1 ? 'line' : 'lines'}.`,
  });

function waitingPart(origins: Origins, repo: RepositoryRef, { pull, rules, approvals }: JudgedPull): string {
  const link = markdownLink('Approve it', approvalUrl(origins, repo, pull));
  const number = markdownLink(`#${pull.number}`, pullUrl(origins, pull));
  const author = pull.author ? `@${escapeText(pull.author.login)}` : 'a deleted account';
  const awaited = isRuled(rules) ? 'for what the rules of' : 'for a member of';
  const end = isRuled(rules) ? ' ask' : '';
  const first =
    `Commit \`${short(pull.head)}\` of ${number} by ${author} into ${codeSpan(pull.base)} is waiting ` +
    `${awaited} ${escapeText(pull.repo.owner)}${end}. ${link}.`;
  return partOf([first, ...ruleLines(rules), ...approvals.map((approval) => approvedLine(pull, approval))]);
}

function passedPart({ pull, rules, approvals }: JudgedPull, hasWaiting: boolean): string {
  const lines = [...approvals.map((approval) => approvedLine(pull, approval)), ...ruleLines(rules)];
  // An approval that holds must not look withdrawn because another pull request has the same head.
  return (hasWaiting ? `#${pull.number} is approved: ` : '') + partOf(lines);
}

function approvedLine(pull: PullRequest, approval: Approval): string {
  const verified = approval.userVerified ? ', user verified' : '';
  const time = approval.at.toISOString().slice(0, 16).replace('T', ' ');
  const signedFor = approval.pr === pull.number ? '' : `, signed for #${approval.pr}`;
  return (
    `@${escapeText(approval.login)} approved commit \`${short(pull.head)}\` of #${pull.number} into ` +
    `${codeSpan(pull.base)} with ${authenticatorKinds[approval.method].method}${verified}, on ${time} UTC${signedFor}.`
  );
}

type Judged = JudgedPull['rules'][number];

/** Lists unmet rules first, and rules that are only reported last. Empty if only the default rule applies. */
function ruleLines(rules: Judged[]): string[] {
  if (!isRuled(rules)) return [];
  const enforced = rules.filter((rule) => rule.enforced);
  return [
    ...enforced
      .filter(({ met }) => !met)
      .map(({ name, missing }) => `${nameOf(name)}: ${escapeText(missing)}`),
    ...enforced.filter(({ met }) => met).map(metLine),
    ...rules.filter((rule) => !rule.enforced).map(reportedLine),
  ];
}

const nameOf = (name: string) => (name === '' ? 'Every pull request' : `Rule ${codeSpan(name)}`);

function metLine({ name, approvals, counted }: Judged): string {
  if (approvals === 0) return `${nameOf(name)}: needs no approval.`;
  const logins = counted.map(({ login }) => `@${escapeText(login)}`);
  return `${nameOf(name)}: met by ${logins.join(', ')}.`;
}

function reportedLine({ name, met, missing }: Judged): string {
  const outcome = met ? 'It would have passed.' : `It would have waited: ${escapeText(missing)}`;
  return `${nameOf(name)} is only reported. ${outcome}`;
}
