import type { ActivityData } from '../../../../../src/contract/activity.ts';

/** One entry of the activity log. */
export type Entry = {
  id: string;
  /** Its number in the organization's log, from 1. */
  number: number;
  /** A time of the record store. */
  at: string;
  /** The kind of the event: an `ActivityKind`, or a kind that only a newer server knows. */
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
    login: text(username) || text(data.login),
    avatar: text(avatar),
    data,
  };
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
