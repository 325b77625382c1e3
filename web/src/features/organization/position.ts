import type { RecordStore } from '../../lib/record-store.ts';

/** The position of a record in a list from the newest to the oldest. */
export type Position = {
  /** A time of the record store. */
  at: string;
  id: string;
};

/** The record that a page of a list begins after; null for the newest page, and for a wrong address. */
export function readPosition(search: string): Position | null {
  const before = new URLSearchParams(search).get('before') ?? '';
  const [, at, id] = /^(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{3}Z)_([a-z0-9]{15})$/.exec(before) ?? [];
  return at && id ? { at, id } : null;
}

/** Writes a position for the query string, as `readPosition` reads it. */
export const positionText = ({ at, id }: Position) => `${at}_${id}`;

/** The store's clause for everything before a record. New records don't move it, as they would a page number. The first comparison is for the index. */
export const beforePosition = (store: RecordStore, { at, id }: Position) =>
  store.filter('(created <= {:at} && (created < {:at} || id < {:id}))', { at, id });
