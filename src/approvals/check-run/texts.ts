import { authenticatorKinds } from '../../contract/authenticator-kinds.ts';
import { listWords } from '../../contract/rule-words.ts';
import type { RepositoryRef } from '../../organizations/ports.ts';
import { neededOf } from '../../policies/judge-rules.ts';
import { approvalUrl, type Origins, pullsWithHeadUrl, pullUrl } from '../../shared/links.ts';
import { isRuled, type JudgedPull, type Verdict } from '../judge/judge.ts';
import type { Approval, CheckRunContent, Denial, PullRequest, ShownContent } from '../ports.ts';
import { codeSpan, escapeText, joinWithin, LONGEST, markdownLink } from './markdown.ts';
import { statusText } from './status-block.ts';

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
  pending: 'Waiting for approval',
  success: 'Approved',
  failure: 'May not merge',
  cancelled: 'OTP Guard is installed',
  action_required: 'Denied',
};

export const short = (sha: string) => sha.slice(0, 8);

/** The run of a pull request's head. */
export function headContent(origins: Origins, repo: RepositoryRef, verdict: Verdict): CheckRunContent {
  const waiting = verdict.pulls.filter(({ passed }) => !passed);
  const linked = (waiting[0] ?? verdict.pulls[0])?.pull;
  const detailsUrl = linked ? approvalUrl(origins, repo, linked) : origins.publicUrl;
  const summary = headSummary(origins, repo, verdict);
  const denial = verdict.denials.at(-1);
  const denied = denial ? { by: denial.login, reason: denial.reason } : null;
  const state = denied ? 'denied' : verdict.passed ? 'passed' : 'waiting';
  const text = statusText(origins, verdict, { state, denied, approval: detailsUrl });
  const texts = { detailsUrl, summary, ...(text && { text }) };
  if (denied) {
    const title = titleOf('Denied by ', [...new Set(verdict.denials.map(({ login }) => login))]);
    return { status: 'completed', conclusion: 'action_required', title, ...texts };
  }
  if (!verdict.passed) return { status: 'in_progress', title: waitingTitle(verdict, waiting), ...texts };
  return { status: 'completed', conclusion: 'success', title: passedTitle(verdict), ...texts };
}

/** A paragraph for each denial and pull request. Waiting ones come first, because what doesn't fit is left out. */
function headSummary(origins: Origins, repo: RepositoryRef, { pulls, denials }: Verdict): string {
  const [first] = pulls;
  if (!first) return 'No open pull request has this commit.';
  const isOne = pulls.length === 1;
  const verb = denials.length > 0 ? 'Open' : 'Approve';
  const waiting = pulls
    .filter(({ passed }) => !passed)
    .map((judged) =>
      waitingPart(origins, repo, judged, isOne ? `${verb} it` : `${verb} #${judged.pull.number}`),
    );
  const passed = pulls.filter((judged) => judged.passed);
  const denied = denials.length > 0 ? [partOf(denials.toReversed().map(deniedLine))] : [];
  const parts = [...denied, ...waiting, ...passed.map((judged) => passedPart(judged, waiting.length > 0))];
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
    const names = unmet.map(({ name }) => name);
    return titleOf(names.length === 0 ? 'Waiting for approval' : 'Waiting for approval: ', names);
  }
  const names = waiting.map(
    ({ pull: { number, author } }) => `#${number} (${author?.login ?? 'a deleted account'})`,
  );
  return titleOf('', names, waiting.length === 1 ? ' needs approval' : ' need approval');
}

function passedTitle({ pulls }: Verdict): string {
  const logins = new Set(pulls.flatMap(({ approvals }) => approvals.map(({ login }) => login)));
  if (logins.size > 0) return titleOf('Approved by ', [...logins]);
  const rules = pulls.flatMap((judged) => judged.rules.filter(({ enforced }) => enforced));
  return titleOf('No approval needed: ', [...new Set(rules.map(({ name }) => name))]);
}

/** GitHub shows titles as plain text. */
function titleOf(start: string, names: string[], end = ''): string {
  const limit = LONGEST.title - Buffer.byteLength(start + end);
  const all = listWords(names, 'and');
  const rest = (count: number) => `and ${count} more`;
  const shown = Buffer.byteLength(all) <= limit ? all : joinWithin(limit, names, { separator: ', ', rest });
  return start + shown + end;
}

/** Leaves room for a second pull request, and for the number of pull requests that don't fit. */
const LONGEST_PART = LONGEST.summary / 2 - 200;

/** Joins as many lines about one pull request as fit. */
const partOf = (lines: string[]) =>
  joinWithin(LONGEST_PART, lines, {
    separator: '\n\n',
    rest: (count) => `… and ${count} more ${count === 1 ? 'line' : 'lines'}.`,
  });

function waitingPart(
  origins: Origins,
  repo: RepositoryRef,
  { pull, rules, approvals, agents }: JudgedPull,
  link: string,
): string {
  const number = markdownLink(`#${pull.number}`, pullUrl(origins, pull));
  const author = pull.author ? `@${escapeText(pull.author.login)}` : 'a deleted account';
  const lack = isRuled(rules)
    ? `doesn't meet ${escapeText(pull.repo.owner)}'s rules yet`
    : "isn't approved yet";
  const isMet = rules.every(({ enforced, met }) => met || !enforced);
  return partOf([
    markdownLink(link, approvalUrl(origins, repo, pull)),
    `\`${short(pull.head)}\` (${number} by ${author}, opened ${minuteOf(pull.createdAt)}, into ${codeSpan(pull.base)}) ${isMet ? 'has every approval that it needs' : lack}.`,
    ...agentsLine(agents),
    ruleTable(rules),
    ...approvals.map((approval) => approvedLine(pull, approval)),
  ]);
}

/** The names of an organization's own agents are its owners' words. */
const agentsLine = (agents: string | null) => (agents ? [`${escapeText(agents)}.`] : []);

function passedPart({ pull, rules, approvals, agents }: JudgedPull, hasWaiting: boolean): string {
  const table = isRuled(rules) ? [ruleTable(rules)] : [];
  const lines = [
    ...approvals.map((approval) => approvedLine(pull, approval)),
    ...agentsLine(agents),
    ...table,
    `#${pull.number} was opened ${minuteOf(pull.createdAt)}.`,
  ];
  // An approval that holds must not look withdrawn because another pull request has the same head.
  if (!hasWaiting) return partOf(lines);
  const [first = '', ...others] = lines;
  const start = `#${pull.number} is approved:`;
  // A table needs its own paragraph.
  return partOf(approvals.length > 0 ? [`${start} ${first}`, ...others] : [start, ...lines]);
}

function approvedLine(pull: PullRequest, approval: Approval): string {
  const verified = approval.userVerified ? ' (fingerprint, face or PIN)' : '';
  const signedFor = approval.pr === pull.number ? '' : `, signed for #${approval.pr}`;
  return (
    `@${escapeText(approval.login)} approved commit \`${short(pull.head)}\` of #${pull.number} into ` +
    `${codeSpan(pull.base)} with ${authenticatorKinds[approval.method].method}${verified}, ${minuteOf(approval.at)}${signedFor}.`
  );
}

/** The reason is a person's own words, so every sign in it that Markdown or HTML could read is escaped. */
function deniedLine(denial: Denial): string {
  const { login, method, head, reason } = denial;
  const how = `with ${authenticatorKinds[method].method}, ${minuteOf(denial.at)}`;
  return `@${escapeText(login)} denied commit \`${short(head)}\` ${how}${reason && `: ${escapeText(reason)}`}`;
}

/** "2026-05-04 12:00 UTC" */
const minuteOf = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

type Judged = JudgedPull['rules'][number];

const TABLE_START = ['| Rule | Approved by | Still needed |', '| --- | --- | --- |'];

/** A pull request's rules as a table: unmet ones first, and last the rules that are only reported. */
function ruleTable(rules: Judged[]): string {
  const enforced = rules.filter((rule) => rule.enforced);
  const ordered = [
    ...enforced.filter(({ met }) => !met),
    ...enforced.filter(({ met }) => met),
    ...rules.filter((rule) => !rule.enforced),
  ];
  return joinWithin(LONGEST_PART / 2, [...TABLE_START, ...ordered.map(ruleRow)], {
    separator: '\n',
    rest: (count) => `| … and ${count} more | | |`,
  });
}

/** No code span: a backslash before a `|` in one would end its cell (GitHub Flavored Markdown 0.29, section 4.10). */
function ruleRow({ name, enforced, counted, missing }: Judged): string {
  const rule = name === '' ? 'Every pull request' : escapeText(name);
  const logins = counted.map(({ login }) => `@${escapeText(login)}`);
  const needed = neededOf(missing);
  const cells = [
    enforced ? rule : `${rule} (only reported)`,
    logins.join(', ') || '–',
    needed === '' ? 'Nothing' : escapeText(needed),
  ];
  return `| ${cells.join(' | ')} |`;
}
