import type { NoticeChoice, NoticeChoiceAnswer } from '../contract/inbox.ts';
import type { Contacts } from '../notices/ports.ts';
import type { Session } from '../people/ports.ts';
import type { Clock } from '../shared/clock.ts';
import type { NoticeChoices } from './ports.ts';

export type NoticeChoiceDeps = { noticeChoices: NoticeChoices; users: Contacts; clock: Clock };

/** Saves the choice if there is one, and returns the present choice. */
export async function noticeChoice(
  deps: NoticeChoiceDeps,
  { session: { userId }, choice }: { session: Session; choice?: NoticeChoice | undefined },
): Promise<NoticeChoiceAnswer> {
  if (choice) await deps.noticeChoices.save(userId, choice, deps.clock.now());
  const [now, contact] = await Promise.all([deps.noticeChoices.of(userId), deps.users.contact(userId)]);
  return { choice: now, hasAddress: Boolean(contact?.address) };
}
