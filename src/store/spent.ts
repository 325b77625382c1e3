import { isDuplicate, type StoreClient } from './client.ts';

/** A spent key is kept past its thing's life: the sweep removes what nobody can present any more. */
const KEPT_MS = 60 * 60 * 1000;

/**
 * Uses a key up: true for the first caller in any process, false for each later
 * one. The record store deletes without counting rows, so what serves once is
 * spent by *creating* a record under a unique index, never by deleting one.
 */
export async function spend(client: StoreClient, key: string, expires: Date): Promise<boolean> {
  try {
    const until = new Date(expires.getTime() + KEPT_MS).toISOString();
    await client.run((records) => records.collection('spent').create({ key, expires: until }));
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}
