import type { Effects, Findings } from '../../../audit/ports.ts';
import { createIfNew } from '../client.ts';
import { recordIdOf } from '../records/records-of.ts';
import type { ActivityLog } from './activity-log.ts';

/** The same name has the same entry, so a second one is a duplicate. */
export const createFindings = (log: ActivityLog): Findings => ({
  add: async (name, effects) =>
    (await createIfNew(() => log.send(effects, { id: recordIdOf(name) }))) !== null,
});

/** The effects with the subject that finds their entry again. */
export const withSubject = ({ activity, notices }: Effects, subject: string): Effects => ({
  activity: { ...activity, subject },
  notices,
});
