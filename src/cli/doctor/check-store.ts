import { type Found, note, ok, problem } from './finding.ts';

export type StoreDeps = {
  known: number;
  /**
   * The store's schema, 0 if it's empty; null if there is no store yet. Rejects with a sentence for the operator, also if
   * SECRET_KEY doesn't open its records.
   */
  readSchema(): Promise<number | null>;
};

/** Whether the record store answers, and its schema is the one that this version writes. */
export async function checkStore({ known, readSchema }: StoreDeps): Promise<Found> {
  const found = await readSchema().catch((error: Error) => error.message);
  if (typeof found === 'string') return problem(found);
  if (found === null || found === 0) return note('There is no record store yet. The first start creates it.');
  if (found > known)
    return problem(
      `The record store has schema ${found}, and this version knows ${known}. Run a newer version.`,
    );
  if (found < known)
    return note(
      `The record store has schema ${found}; the next start upgrades it to ${known}. Make a backup first.`,
    );
  return ok(`The record store answers, and has schema ${found}.`);
}
