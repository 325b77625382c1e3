import type { Clock } from '../clock.ts';
import { noticeText } from './notice-text.ts';
import { type Mailer, MailRefused, type Notice, type Notices, type Users } from './ports.ts';

const MOST_AT_ONCE = 20;
const MOST_TRIES = 8;
const FIRST_PAUSE_MS = 60_000;

export type NoticeDeps = {
  notices: Notices;
  users: Users;
  mailer: Mailer;
  clock: Clock;
  /** Told of each message that could not be sent; it holds no address. */
  onUnsent(error: unknown, notice: { kind: string; tries: number }): void;
};

/**
 * Sends the messages that are due, each by one process alone. One that fails is
 * tried again with growing pauses for two hours; one that the mail server
 * refuses, or that has nobody to go to, is dropped.
 */
export async function sendNotices(deps: NoticeDeps): Promise<void> {
  const now = deps.clock.now();
  for (const notice of await deps.notices.due(now, MOST_AT_ONCE)) {
    if (await deps.notices.claim(notice)) await sendOne(deps, notice);
    // Whoever claimed this try is at it, or has ended in the middle: the next try is for later.
    else await deps.notices.retry(notice, pauseAfter(notice, now));
  }
}

async function sendOne(deps: NoticeDeps, notice: Notice): Promise<void> {
  const contact = notice.userId ? await deps.users.contact(notice.userId) : null;
  const to = notice.to || contact?.address;
  if (!to) return deps.notices.done(notice);
  try {
    await deps.mailer.send({
      to,
      ...noticeText(notice.kind, { login: contact?.login ?? '', ...notice.data }),
      image: contact?.image ?? null,
    });
  } catch (error) {
    deps.onUnsent(error, notice);
    if (!(error instanceof MailRefused) && notice.tries + 1 < MOST_TRIES)
      return deps.notices.retry(notice, pauseAfter(notice, deps.clock.now()));
  }
  await deps.notices.done(notice);
}

function pauseAfter({ tries }: Notice, now: Date): Date {
  return new Date(now.getTime() + FIRST_PAUSE_MS * 2 ** tries);
}
