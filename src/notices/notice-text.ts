import { approvalsMails } from '../contract/events/approvals.ts';
import { authenticatorsMails } from '../contract/events/authenticators.ts';
import { forgeriesMails } from '../contract/events/forgeries.ts';
import { organizationMails } from '../contract/events/organization.ts';
import { outgoingWebhooksMails } from '../contract/events/outgoing-webhooks.ts';
import { peopleMails } from '../contract/events/people.ts';
import { protectionMails } from '../contract/events/protection.ts';
import type { Mails } from '../contract/events/words.ts';
import type { NoticeData, NoticeKind } from '../contract/notices.ts';

const MAILS: Required<Mails> = {
  ...approvalsMails,
  ...authenticatorsMails,
  ...peopleMails,
  ...organizationMails,
  ...protectionMails,
  ...forgeriesMails,
  ...outgoingWebhooksMails,
};

/** The subject and text of a notice. */
export function noticeText(kind: NoticeKind, data: NoticeData): { subject: string; text: string } {
  const { subject, text, withCheckpoint = false } = MAILS[kind](data);
  return { subject, text: text + (withCheckpoint ? checkpoint(data) : '') };
}

/** The note as it is, at the end and without an indent: a copy of it is a file for `otp-guard audit`. */
const checkpoint = ({ checkpoint, org }: NoticeData): string =>
  checkpoint
    ? `\n\nKeep this signed checkpoint of ${org}’s log. “otp-guard audit” compares the log with it:\n\n${checkpoint.trimEnd()}`
    : '';
