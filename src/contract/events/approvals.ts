import type { ActivityData } from '../activity.ts';
import type { MailPart, NoticeData, NoticedPull } from '../notices.ts';
import { inParts, type Part } from '../parts.ts';
import { LONGEST_REASON } from '../reason.ts';
import {
  because,
  decisionWords,
  holder,
  type LogWords,
  lost,
  type Mail,
  type Mails,
  mailedPull,
  NOT_YOU,
  plainTitle,
  pull,
} from './words.ts';

/** "their" if they withdrew their own. */
const approver = (data: ActivityData): Part[] =>
  data.user && data.user !== data.login ? holder(data) : ['their '];

/** The rules that a merge went around, as far as GitHub says. */
const around = ({ rules = [] }: NoticeData): string =>
  rules.length > 0 ? ` It went around ${rules.map((rule) => `“${plainTitle(rule)}”`).join(' and ')}.` : '';

const WHY = {
  named: 'A rule of the organization names you or your team.',
  review: 'Your review was requested on GitHub.',
  earlier: 'You approved an earlier commit of it.',
  last: 'Nobody else is left to approve it.',
} as const satisfies Record<NoticedPull['asked'], string>;

/** "by mona · 3 files", or "started by mona · run 77" */
function factsOf({ author, files, run }: NoticedPull): string {
  const by = author ? [`${run ? 'started ' : ''}by ${author}`] : [];
  const changed = files === undefined ? [] : [files === 1 ? '1 file' : `${files} files`];
  return [...by, ...changed, ...(run ? [`run ${run}`] : [])].join(' · ');
}

function pullParts(pull: NoticedPull, role: 'button' | 'link'): MailPart[] {
  const { name, title, asked, url, run } = pull;
  const facts = factsOf(pull);
  return [
    { role: 'quiet', text: name },
    { role: 'heading', text: plainTitle(title) },
    ...(facts ? [{ role: 'quiet', text: facts } as const] : []),
    WHY[asked],
    { role, text: run ? 'Review the deployment' : 'Review and approve', url },
  ];
}

/** Each pull request and deployment with its link, then how many more wait. The first one's name keeps mail programs from threading. */
function pullsMail({ pulls = [], more = 0, origin }: NoticeData): Mail {
  const others = pulls.length - 1 + more;
  const waiting = others === 0 ? 'is waiting' : `and ${others} more are waiting`;
  const rest = more === 1 ? '1 more is waiting' : `${more} more are waiting`;
  return {
    subject: `${pulls[0]?.name ?? ''} ${waiting} for your approval`,
    parts: [
      ...pulls.flatMap((pull) => pullParts(pull, pulls.length === 1 ? 'button' : 'link')),
      ...(more > 0 ? [{ role: 'link', text: rest, url: `${origin}/` } as const] : []),
      { role: 'quiet', text: 'Look at the changes first, and approve only what you expect.' },
    ],
  };
}

/** The log's lines about approvals, and merges without one. */
export const approvalsLog = {
  ...decisionWords('Collect', { name: 'Approved', verb: 'approved' }),
  approvalWithdraw: {
    name: 'Withdrew an approval or a denial',
    text: (data) => {
      const why = data.lostSince ? inParts`, made with an authenticator that was${lost(data, ' ')}` : [];
      const what = data.denies ? 'denial' : 'approval';
      return inParts`withdrew ${approver(data)}${what} of ${pull(data)}${why}`;
    },
  },
  ...decisionWords('Deny', { name: 'Denied', verb: 'denied' }),
  denialEnd: {
    name: 'A denial ended with the membership',
    text: (data) => inParts`left the organization, which ended their denial of ${pull(data)}${because(data)}`,
  },
  denialSetAside: {
    name: 'Set a denial aside',
    text: (data) =>
      inParts`set aside ${holder(data)}denial of ${pull(data)}${because(data)}, because of “${{ name: data.setAsideReason ?? '' }}”`,
  },
  unapprovedMerge: {
    name: 'Merged without an approval',
    isWarning: true,
    text: (data) => {
      const around = data.rules ?? [];
      const rules = around.flatMap((name, at) => inParts`${at === 0 ? ', around “' : ' and “'}${{ name }}”`);
      return inParts`merged ${pull(data)} without an approval${rules}`;
    },
  },
} satisfies LogWords;

/** The e-mails about approvals, and merges without one. */
export const approvalsMails = {
  approvalWithdrawn: (data) => ({
    subject: `Your ${data.denies ? 'denial' : 'approval'} was withdrawn`,
    parts: [
      `You, ${data.login}, withdrew your ${data.denies ? 'denial' : 'approval'} of ${data.label ?? 'a commit'} in ${data.org}. ${data.denies ? 'The check may pass again.' : 'If nobody else approved it, the check goes back to waiting.'}`,
      NOT_YOU,
    ],
  }),
  pullDenied: (data) => ({
    subject: `${mailedPull(data)} was denied`,
    parts: [
      `${data.by} denied the last commit of your pull request ${mailedPull(data)}. It can't merge until ${data.by} withdraws that, or you push another commit.`,
      `${data.by} wrote: “${plainTitle(data.reason ?? '', LONGEST_REASON)}”.`,
    ],
  }),
  denialSetAside: (data) => ({
    subject: 'Your denial was set aside',
    parts: [
      `${data.by} set your denial of ${data.label ?? 'a commit'} in ${data.org} aside, so it no longer keeps the check from passing.`,
      `${data.by} wrote: “${plainTitle(data.setAsideReason ?? '', LONGEST_REASON)}”.`,
    ],
  }),
  unapprovedMerge: (data) => ({
    withCheckpoint: true,
    subject: `${mailedPull(data)} was merged without an approval`,
    parts: [
      `${mailedPull(data)} was merged${data.by ? ` by ${data.by}` : ''}, but nobody had approved its last commit in OTP Guard.${around(data)}`,
      `If the check is required for that branch, ${data.by || 'the person who merged it'} may have bypassed the rule: review the rule and GitHub’s audit log. If it isn’t required, require it.`,
    ],
  }),
  pullsWait: pullsMail,
  pullsDigest: pullsMail,
} satisfies Mails;
