import { type NoticeChoice, noticeChoices } from '../contract/inbox.ts';
import { createRecordMac, type SecretKeys } from '../shared/crypto.ts';

/** A person, by record id, and the e-mails that they chose. */
export type UnsubscribeTarget = { userId: string; choice: Exclude<NoticeChoice, 'off'> };

/**
 * The links that stop e-mails without a session (RFC 8058). A link can do nothing else, and works as long as its key is in
 * `SECRET_KEY`: people unsubscribe with old e-mails too.
 */
export type UnsubscribeLinks = {
  url(target: UnsubscribeTarget): string;
  /** The person and choice of a link's query; null if we didn't make the link. */
  read(query: Record<string, unknown>): UnsubscribeTarget | null;
};

export const UNSUBSCRIBE_PATH = '/unsubscribe';

export function createUnsubscribeLinks(keys: SecretKeys, publicUrl: string): UnsubscribeLinks {
  const mac = createRecordMac(keys, 'otp-guard:unsubscribe:v1');
  return {
    url({ userId, choice }) {
      const sig = mac.sign('gh_users', userId, { choice });
      return `${publicUrl}${UNSUBSCRIBE_PATH}?${new URLSearchParams({ person: userId, choice, sig })}`;
    },
    read({ person, choice: given, sig }) {
      const choice = noticeChoices.find((one) => one === given);
      if (typeof person !== 'string' || typeof sig !== 'string' || !choice || choice === 'off') return null;
      return mac.verify('gh_users', person, { choice }, sig) ? { userId: person, choice } : null;
    },
  };
}
