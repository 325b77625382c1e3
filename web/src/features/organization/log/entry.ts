import type { ActivityData } from '../../../../../src/contract/activity.ts';

/** One entry of the activity log. */
export type Entry = {
  id: string;
  /** Its place in the organization's log, from 1; 0 in entries from before the log was a tree. */
  number: number;
  /** A time of the record store. */
  at: string;
  /** What happened: an `ActivityKind`, or a kind that only a newer server knows. */
  kind: string;
  /** The current login of the person who did it, or their login at that time; empty if unknown. */
  login: string;
  /** The address of their picture; empty if there is none. */
  avatar: string;
  data: ActivityData;
};

export type RawEntry = Record<string, unknown> & {
  expand?: { user_id?: { username?: unknown; avatar?: unknown } };
};

/** Reads a `gh_activities` record; a missing field becomes empty. */
export function readEntry(raw: RawEntry): Entry {
  const data = typeof raw.data === 'object' && raw.data !== null ? (raw.data as ActivityData) : {};
  const { username, avatar } = raw.expand?.user_id ?? {};
  return {
    id: text(raw.id),
    number: typeof raw.entry_number === 'number' ? raw.entry_number : 0,
    at: text(raw.created),
    kind: text(raw.activity),
    login: text(username) || text(data.login) || formerLogin(raw.activity, data),
    avatar: text(avatar),
    data,
  };
}

/** In these, `data.user` can be another person than the one who acted. */
const ABOUT_OTHERS: unknown[] = ['memberAuthenticatorDelete', 'approvalWithdraw', 'memberSessionsEnd'];

const formerLogin = (activity: unknown, data: ActivityData) =>
  ABOUT_OTHERS.includes(activity) ? '' : text(data.user);

const text = (value: unknown) => (typeof value === 'string' ? value : '');
