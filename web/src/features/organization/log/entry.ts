import type { ActivityData } from '../../../../../src/contract/activity.ts';

/** One entry of the activity log. */
export type Entry = {
  id: string;
  /** A time of the record store. */
  at: string;
  /** What was done; one of `ActivityKind`, or one that a newer server knows. */
  kind: string;
  /** Who did it, by the login of now or else of then; empty where nobody knows. */
  login: string;
  /** Address of their picture; empty where there is none. */
  avatar: string;
  data: ActivityData;
};

export type RawEntry = Record<string, unknown> & {
  expand?: { user_id?: { username?: unknown; avatar?: unknown } };
};

/** Reads a record of the store; what is not there is empty. */
export function readEntry(raw: RawEntry): Entry {
  const data = typeof raw.data === 'object' && raw.data !== null ? (raw.data as ActivityData) : {};
  const { username, avatar } = raw.expand?.user_id ?? {};
  return {
    id: text(raw.id),
    at: text(raw.created),
    kind: text(raw.activity),
    login: text(username) || text(data.login) || formerLogin(raw.activity, data),
    avatar: text(avatar),
    data,
  };
}

/** `user` is whom it is about: the one who did it, unless an owner removed what was a member's. */
const formerLogin = (activity: unknown, data: ActivityData) =>
  activity === 'memberAuthenticatorDelete' ? '' : text(data.user);

const text = (value: unknown) => (typeof value === 'string' ? value : '');
