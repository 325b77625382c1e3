import type { Effects } from '../../audit/ports.ts';
import { createIfNew } from '../client.ts';
import type { ActivityLog } from './activity-log.ts';
import { recordIdOf } from './record-id.ts';

/**
 * Stores the effects of something that is logged once, with nothing else. The
 * same name has the same log entry, so a second call is a duplicate.
 *
 * @returns False if they were stored before.
 */
export async function addEffectsOnce(log: ActivityLog, name: string, effects: Effects): Promise<boolean> {
  return (await createIfNew(() => log.send(effects, { id: recordIdOf(name) }))) !== null;
}

/** The effects with what finds their entry again. */
export const withSubject = ({ activity, notices }: Effects, subject: string): Effects => ({
  activity: { ...activity, subject },
  notices,
});
