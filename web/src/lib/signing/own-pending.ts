import type { KeyValueStore } from '../session/local-store.ts';

type Whose = { userId: string; orgID: string };

const keyOf = ({ userId, orgID }: Whose) => `pending:${userId}:${orgID}`;

/**
 * Remembers that this browser registered the person's pending authenticator. Someone with the person's stolen session
 * can put their own in its place; then this browser must not show that one's code as the person's.
 */
export const saveOwnPending = (local: KeyValueStore, whose: Whose, id: string) =>
  local.setItem(keyOf(whose), id);

/** The record id of the pending authenticator that this browser registered last; null if it hasn't. */
export const readOwnPending = (local: KeyValueStore, whose: Whose) => local.getItem(keyOf(whose));

export const forgetOwnPending = (local: KeyValueStore, whose: Whose) => local.removeItem(keyOf(whose));
