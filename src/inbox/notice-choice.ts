import type { NoticeChoice, NoticeChoiceAnswer } from '../contract/inbox.ts';
import type { Session } from '../people/ports.ts';
import type { InboxDeps } from './deps.ts';

/** Saves the choice if there is one, and returns the present choice. */
export async function noticeChoice(
  deps: InboxDeps,
  { session: { userId }, choice }: { session: Session; choice?: NoticeChoice | undefined },
): Promise<NoticeChoiceAnswer> {
  if (choice) await deps.noticeChoices.save(userId, choice, deps.clock.now());
  const [now, contact] = await Promise.all([deps.noticeChoices.of(userId), deps.users.contact(userId)]);
  return { choice: now, hasAddress: Boolean(contact?.address) };
}
