import type { Clock } from '../shared/clock.ts';
import { inTurn } from '../shared/work.ts';
import { noticeMail, organizationOf } from './notice-mail.ts';
import {
  type Contacts,
  type Mailer,
  MailRefused,
  type Notice,
  type NoticeKind,
  type Notices,
} from './ports.ts';
import type { UnsubscribeLinks, UnsubscribeTarget } from './unsubscribe-links.ts';

const MOST_AT_ONCE = 20;
const MOST_TRIES = 8;
const FIRST_PAUSE_MS = 60_000;

/** The choice by which a person gets a kind of e-mail. Nobody can stop the other kinds: they protect people. */
const CHOSEN: Partial<Record<NoticeKind, UnsubscribeTarget['choice']>> = {
  pullsWait: 'at-once',
  pullsDigest: 'daily',
};

type NoticeDeps = {
  notices: Notices;
  contacts: Contacts;
  mailer: Mailer;
  clock: Clock;
  /** Gets the error of each message that couldn't be sent. The error contains no address. */
  onUnsent(error: unknown, notice: { kind: string; tries: number }): void;
  unsubscribeUrl: UnsubscribeLinks['url'];
  /** Tells whether this process is ending: it leaves the rest to the next one. */
  isStopping?(): boolean;
};

/**
 * Sends the notices that are due; of several processes, only one sends each.
 * Retries a failed one for two hours with growing pauses, and drops a notice that
 * the mail server refuses or that has no address to go to.
 *
 * @throws The first other failure, after each notice had its turn.
 */
export async function sendNotices(deps: NoticeDeps): Promise<void> {
  const now = deps.clock.now();
  await inTurn(await deps.notices.due(now, MOST_AT_ONCE), async (notice) => {
    if (deps.isStopping?.()) return;
    if (await deps.notices.claim(notice)) await sendNotice(deps, notice);
    // Another process is sending it, or stopped in the middle: schedule the next try in case it stopped.
    else await deps.notices.retry(notice, nextTry(notice, now));
  });
}

async function sendNotice(deps: NoticeDeps, notice: Notice): Promise<void> {
  const contact = notice.userId ? await deps.contacts.contact(notice.userId) : null;
  const to = notice.to || contact?.address;
  if (!to) return deps.notices.done(notice);
  try {
    const choice = CHOSEN[notice.kind];
    await deps.mailer.send({
      to,
      ...noticeMail(notice.kind, { login: contact?.login ?? '', ...notice.data }),
      org: organizationOf(notice.data),
      unsubscribeUrl: choice ? deps.unsubscribeUrl({ userId: notice.userId, choice }) : null,
      image: contact?.image ?? null,
    });
  } catch (error) {
    deps.onUnsent(error, notice);
    if (!(error instanceof MailRefused) && notice.tries + 1 < MOST_TRIES)
      return deps.notices.retry(notice, nextTry(notice, deps.clock.now()));
  }
  await deps.notices.done(notice);
}

function nextTry({ tries }: Notice, now: Date): Date {
  return new Date(now.getTime() + FIRST_PAUSE_MS * 2 ** tries);
}
