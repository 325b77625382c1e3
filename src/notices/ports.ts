import type { SecurityImage } from '../contract/image.ts';
import type { MailPart, NoticeData, NoticeKind } from '../contract/notices.ts';

export type { MailPart, NoticeData, NoticedPull, NoticeKind } from '../contract/notices.ts';

/** The ways to reach a person. `address` is empty if they haven't confirmed one. */
export type Contact = { login: string; address: string; image: SecurityImage | null };

export type Contacts = {
  /** Null if there is no such person. */
  contact(userId: string): Promise<Contact | null>;
};

export type MailMessage = {
  /** One validated address. */
  to: string;
  subject: string;
  /** They may hold names and labels in any language. */
  parts: MailPart[];
  /** The organization that it's about; null if it isn't about one. */
  org: string | null;
  /** The address that stops e-mails of its kind; null if the person didn't choose to get them. */
  unsubscribeUrl: string | null;
  /** The recipient's security image, embedded in the message. */
  image: SecurityImage | null;
};

export type Mailer = {
  /**
   * Resolves once the mail server has accepted the message. Rejects with
   * `MailRefused` if the server refused it permanently, and with any other
   * error if a later try may work.
   */
  send(message: MailMessage): Promise<void>;
};

/** The mail server permanently refused this recipient or message. */
export class MailRefused extends Error {
  override name = 'MailRefused';
}

/** A notice to queue: to the person's confirmed address, or to `to` if it is given. */
export type NewNotice = { kind: NoticeKind; data: NoticeData; userId: string; to?: string };

/** A queued notice. */
export type Notice = {
  id: string;
  kind: NoticeKind;
  data: NoticeData;
  /** The recipient. `to` is set if the message goes to an address that is no longer theirs. */
  userId: string;
  to: string;
  tries: number;
  due: Date;
};

export type Notices = {
  /** At most `most` notices that are due. */
  due(now: Date, most: number): Promise<Notice[]>;
  /** Claims this try of the notice; true for exactly one process. */
  claim(notice: Notice): Promise<boolean>;
  /** Schedules the next try. */
  retry(notice: Notice, due: Date): Promise<void>;
  done(notice: Notice): Promise<void>;
  /** The number of notices still to be sent. */
  count(): Promise<number>;
  add(notice: NewNotice, due: Date): Promise<void>;
};
