import type { ActivityData } from '../contract/activity.ts';
import type { LogPerson, OpenedEntry } from '../contract/log-entry.ts';
import { withoutPerson } from './log-parts.ts';

/** A person, as records name them. */
export type NamedPerson = {
  githubId: number;
  /** Record id; empty if they never signed in here. */
  userId: string;
  /** Every login that records have for them, in lower case. */
  logins: ReadonlySet<string>;
};

/** An entry of the log, as far as people are in it. */
export type NamingEntry = Pick<OpenedEntry, 'person' | 'salts'> & {
  data: ActivityData | null;
  userId: string;
};

/** Tells whether the entry is by this person, about them, or counts their approval. */
export function namesPerson({ data, userId, person }: NamingEntry, wanted: NamedPerson): boolean {
  const { by, holder, verdict } = person?.facts ?? {};
  const hasLogin = (login: string | undefined) => wanted.logins.has((login ?? '').toLowerCase());
  // Where the log knows GitHub's id, it decides: another person may have had this login.
  const isNamed = (account: { id: number } | undefined, login: string | undefined) =>
    account ? account.id === wanted.githubId : hasLogin(login);
  return (
    (userId !== '' && userId === wanted.userId) ||
    isNamed(by, data?.login) ||
    isNamed(holder, data?.user) ||
    (verdict?.rules.some((rule) => rule.by.some(hasLogin)) ?? false)
  );
}

/**
 * The entry without people. Its leaf still commits to what is gone, and nobody can open that commitment: so each proof
 * of the log stays as it was. What the entry says of other people goes with it, because one salt covers them all.
 */
export function withoutPeople({ data, userId, salts }: NamingEntry, { userId: erased }: NamedPerson) {
  return {
    data: withoutPerson(data ?? {}),
    user_id: userId === erased ? '' : userId,
    person: null,
    salts: { event: salts.event, person: null },
  };
}

/** The logins that an entry has for this person. */
export function loginsIn({ by, holder }: LogPerson['facts'], githubId: number): string[] {
  return [by, holder].flatMap((one) => (one?.id === githubId ? [one.login.toLowerCase()] : []));
}
