import type { ActivityData, ActivityKind } from '../activity.ts';
import { inParts, type Part } from '../parts.ts';
import { approvalsLog } from './approvals.ts';
import { authenticatorsLog } from './authenticators.ts';
import { deploymentsLog } from './deployments.ts';
import { forgeriesLog } from './forgeries.ts';
import { organizationLog } from './organization.ts';
import { outgoingWebhooksLog } from './outgoing-webhooks.ts';
import { peopleLog } from './people.ts';
import { protectionLog } from './protection.ts';
import type { LogWords } from './words.ts';

/** What the log says of each kind of entry. */
export const LOG_WORDS: Required<LogWords> = {
  ...approvalsLog,
  ...deploymentsLog,
  ...authenticatorsLog,
  ...peopleLog,
  ...organizationLog,
  ...protectionLog,
  ...forgeriesLog,
  ...outgoingWebhooksLog,
};

/** Names the person of an entry by their login, or in words if it has none. */
export const personText = ({ kind, login }: { kind: string; login: string }): string =>
  login || (kind === 'hookStop' ? 'OTP Guard' : 'Someone');

/** Says what a person did, to be read after their name. */
export function entryText({ kind, data }: { kind: string; data: ActivityData }): Part[] {
  if (isActivityKind(kind)) return LOG_WORDS[kind].text(data);
  return inParts`did something that this page can't describe: ${{ name: kind || 'unknown' }}`;
}

/** False for kinds that only a newer server knows. */
export const isActivityKind = (kind: string): kind is ActivityKind => Object.hasOwn(LOG_WORDS, kind);

/** Tells whether an owner should look into entries of this kind. */
export const isWarningKind = (kind: string): boolean =>
  isActivityKind(kind) && LOG_WORDS[kind].isWarning === true;
