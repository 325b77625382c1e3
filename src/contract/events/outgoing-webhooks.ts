import type { ActivityData } from '../activity.ts';
import type { NoticeData } from '../notices.ts';
import { inParts, type Part } from '../parts.ts';
import type { LogWords, Mails } from './words.ts';

const hook = ({ hook: kind, host }: ActivityData): Part[] => {
  const to = host ? inParts` to ${{ name: host }}` : [];
  return inParts`the ${kind === 'slack' ? 'Slack webhook' : 'outgoing webhook'}${to}`;
};

/** "webhook to hooks.example.com" */
const mailedHook = ({ hook, host }: NoticeData): string =>
  `${hook === 'slack' ? 'Slack webhook' : 'webhook'}${host ? ` to ${host}` : ''}`;

/** The log's lines about outgoing webhooks. */
export const outgoingWebhooksLog = {
  hookSet: { name: 'Set an outgoing webhook', text: (data) => inParts`set ${hook(data)}` },
  hookRemove: { name: 'Removed an outgoing webhook', text: (data) => inParts`removed ${hook(data)}` },
  hookStop: {
    name: 'An outgoing webhook was stopped',
    text: (data) => inParts`stopped ${hook(data)}, which failed for a week`,
  },
} satisfies LogWords;

/** The e-mails about outgoing webhooks. */
export const outgoingWebhooksMails = {
  hookSet: (data) => ({
    subject: 'An outgoing webhook was set',
    parts: [
      `${data.by}, an owner of ${data.org}, set its ${mailedHook(data)}. From now on OTP Guard sends each entry of the organization’s log there, and each pull request that waits for an approval.`,
      `If no owner meant to do this, remove it on the organization’s page Webhooks, and sign ${data.by} out on its page Members.`,
    ],
  }),
  hookRemoved: (data) => ({
    subject: 'An outgoing webhook was removed',
    parts: [
      `${data.by}, an owner of ${data.org}, removed its ${mailedHook(data)}. Nothing more is sent there.`,
      `If no owner meant to do this, set it again on the organization’s page Webhooks, and sign ${data.by} out on its page Members.`,
    ],
  }),
  hookStopped: (data) => ({
    subject: 'An outgoing webhook was stopped',
    parts: [
      `The ${mailedHook(data)} of ${data.org} failed for a week, so OTP Guard stopped it. What happens from now on isn’t sent there.`,
      'An owner can set it again on the organization’s page Webhooks.',
    ],
  }),
} satisfies Mails;
