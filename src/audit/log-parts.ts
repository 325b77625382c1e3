import type { ActivityData } from '../contract/activity.ts';
import type { LogEvent, LogPerson } from '../contract/log-entry.ts';
import type { NewActivity } from './ports.ts';

/** The fields of `data` that name people, or are their own words. The rest of an entry's `data` names none, unless a policy does. */
const OF_PERSON = ['login', 'user', 'label', 'formerLabel', 'reason', 'setAsideReason'];

const ofPerson = (name: string) => OF_PERSON.includes(name);

/** Keeps what the log still shows of an entry whose person was erased. */
export const withoutPerson = (data: ActivityData): ActivityData =>
  Object.fromEntries(Object.entries(data).filter(([name]) => !ofPerson(name)));

/** Makes the parts that the leaf of an entry commits to. */
export function logParts(
  { activity, data, facts = {}, personFacts = {} }: NewActivity,
  position: { log: string; number: number; at: Date },
): { event: LogEvent; person: LogPerson } {
  const pick = (wanted: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(data).filter(([name, value]) => wanted(name) && value !== undefined));
  const event: LogEvent = {
    v: 1,
    log: position.log,
    number: position.number,
    at: position.at.toISOString(),
    activity,
    data: pick((name) => !ofPerson(name)),
    facts,
  };
  return { event, person: { data: pick(ofPerson), facts: personFacts } };
}
