import { approvalsMails } from '../contract/events/approvals.ts';
import { authenticatorsMails } from '../contract/events/authenticators.ts';
import { deploymentsMails } from '../contract/events/deployments.ts';
import { forgeriesMails } from '../contract/events/forgeries.ts';
import { organizationMails } from '../contract/events/organization.ts';
import { outgoingWebhooksMails } from '../contract/events/outgoing-webhooks.ts';
import { peopleMails } from '../contract/events/people.ts';
import { protectionMails } from '../contract/events/protection.ts';
import type { Mails } from '../contract/events/words.ts';
import type { MailPart, NoticeData, NoticeKind } from '../contract/notices.ts';
import type { MailMessage } from './ports.ts';

const MAILS: Required<Mails> = {
  ...approvalsMails,
  ...deploymentsMails,
  ...authenticatorsMails,
  ...peopleMails,
  ...organizationMails,
  ...protectionMails,
  ...forgeriesMails,
  ...outgoingWebhooksMails,
};

/** The subject and parts of a notice. */
export function noticeMail(kind: NoticeKind, data: NoticeData): Pick<MailMessage, 'subject' | 'parts'> {
  const { subject, parts, withCheckpoint = false } = MAILS[kind](data);
  const hasHeading = parts.some((part) => typeof part !== 'string' && part.role === 'heading');
  const heading: MailPart[] = hasHeading ? [] : [{ role: 'heading', text: subject }];
  return { subject, parts: [...heading, ...parts, ...(withCheckpoint ? checkpointParts(data) : [])] };
}

/** The note as it is, without an indent: a copy of the e-mail's text is a file for `otp-guard audit`. */
function checkpointParts({ checkpoint, org }: NoticeData): MailPart[] {
  if (!checkpoint) return [];
  const text = `Keep this signed checkpoint of ${org}’s log. “otp-guard audit” compares the log with it:`;
  return [{ role: 'checkpoint', text, note: checkpoint.trimEnd() }];
}

/** The organization that a notice is about: null if pull requests of several wait. */
export function organizationOf({ org, pulls = [] }: NoticeData): string | null {
  const owners = new Set(pulls.map(({ name }) => name.split('/')[0] ?? ''));
  const [owner = null] = owners.size === 1 ? owners : [];
  return org ?? owner;
}
