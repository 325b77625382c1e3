import type { UnsubscribeTarget } from '../notices/unsubscribe-links.ts';
import type { InboxDeps } from './deps.ts';

/** Stops the e-mails that the person chose then. If they chose others since, those still come. */
export async function unsubscribe(
  { noticeChoices, clock }: Pick<InboxDeps, 'noticeChoices' | 'clock'>,
  { userId, choice }: UnsubscribeTarget,
): Promise<void> {
  if ((await noticeChoices.of(userId)) === choice) await noticeChoices.save(userId, 'off', clock.now());
}
