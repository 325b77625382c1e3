import type { Requested } from '../../../lib/signing/check-policy-statement.ts';
import {
  findSignerDifference,
  hashOf,
  type OnScreen,
  refusalText,
} from '../../../lib/signing/check-statement.ts';

/** The log entry that an owner is about to acknowledge. */
type EntryOnScreen = Pick<OnScreen, 'host' | 'user' | 'orgId'> & { entry: number };

/**
 * Checks that the challenge is the hash of a statement about exactly this log entry, person and organization. Resolves
 * to a sentence for the person if not, or to null if their authenticator may sign the challenge.
 */
export async function refuseAcknowledgement(
  { options, statement }: Requested,
  screen: EntryOnScreen,
): Promise<string | null> {
  const difference = statement ? findDifference(statement, screen) : 'purpose';
  return refusalText(difference, options.challenge === (await hashOf(statement)));
}

function findDifference(
  statement: NonNullable<Requested['statement']>,
  screen: EntryOnScreen,
): string | null {
  const difference = findSignerDifference(statement, 'acknowledge', screen);
  if (difference || statement.purpose !== 'acknowledge') return difference;
  return statement.entry.number === screen.entry ? null : 'log entry';
}
