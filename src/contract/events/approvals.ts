import type { ActivityData } from '../activity.ts';
import { authenticatorKinds } from '../authenticator-kinds.ts';
import type { NoticeData, NoticedPull } from '../notices.ts';
import { inParts, type Part } from '../parts.ts';
import {
  holder,
  type LogWords,
  labelled,
  lost,
  type Mail,
  type Mails,
  NOT_YOU,
  plainTitle,
  pull,
  withArticle,
} from './words.ts';

/** "their" if they withdrew their own. */
const approver = (data: ActivityData): Part[] =>
  data.user && data.user !== data.login ? holder(data) : ['their '];

/** The rules that a merge went around, as far as GitHub says. */
const around = ({ rules = [] }: NoticeData): string =>
  rules.length > 0 ? ` It went around ${rules.map((rule) => `“${plainTitle(rule)}”`).join(' and ')}.` : '';

const WHY = {
  named: 'A rule of the organization names you or your team.',
  review: 'Somebody requested your review on GitHub.',
  earlier: 'You approved an earlier commit of it.',
  last: 'Nobody else is left to approve it.',
} as const satisfies Record<NoticedPull['asked'], string>;

/** A paragraph for each pull request, then how many more wait, and the page to change the choice. */
function pullsText({ login, pulls = [], more = 0, origin }: NoticeData): Mail {
  const isOne = pulls.length === 1;
  const subject = isOne ? 'A pull request waits for you' : 'Pull requests wait for you';
  const wait = isOne ? 'a pull request waits' : `${pulls.length} pull requests wait`;
  const first = `${login}, ${wait} for your approval. Look at the changes first, and approve only what you expect.`;
  const each = pulls.map(
    ({ name, title, asked, url }) => `${name}: “${plainTitle(title)}”\n${WHY[asked]}\n${url}`,
  );
  const others = more === 1 ? '1 more pull request waits' : `${more} more pull requests wait`;
  const rest = more > 0 ? [`${others} for you: ${origin}/`] : [];
  const why = `You chose to get this e-mail. To change that: ${origin}/email`;
  return { subject, text: [first, ...each, ...rest, why].join('\n\n') };
}

/** The log's lines about approvals, and merges without one. */
export const approvalsLog = {
  webauthnCollect: {
    name: 'Approved with a passkey or security key',
    text: (data) => inParts`approved ${pull(data)} with ${labelled(data) ?? withArticle(data)}`,
  },
  totpCollect: {
    name: `Approved with ${authenticatorKinds.totp.method}`,
    text: (data) => inParts`approved ${pull(data)} with ${authenticatorKinds.totp.method}`,
  },
  approvalWithdraw: {
    name: 'Withdrew an approval',
    text: (data) => {
      const why = data.lostSince ? inParts`, made with an authenticator that was${lost(data, ' ')}` : [];
      return inParts`withdrew ${approver(data)}approval of ${pull(data)}${why}`;
    },
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
    subject: 'Your approval was withdrawn',
    text: `You, ${data.login}, withdrew your approval of ${data.label ?? 'a commit'} in ${data.org}. Unless someone else approved it too, the check waits for an approval again.\n\n${NOT_YOU}`,
  }),
  unapprovedMerge: (data) => ({
    withCheckpoint: true,
    subject: 'A pull request was merged without an approval',
    text: `${data.label ?? 'A pull request'} in ${data.org} was merged${data.by ? ` by ${data.by}` : ''}, but nobody had approved its last commit in OTP Guard.${around(data)}\n\nIf the check is required for that branch, somebody may have bypassed the rule: review the rule and GitHub’s audit log. If it isn’t required, require it.`,
  }),
  pullsWait: pullsText,
  pullsDigest: pullsText,
} satisfies Mails;
