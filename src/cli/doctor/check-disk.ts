import { type Found, note, ok, problem } from './finding.ts';

const MB = 1024 * 1024;
const LEAST_BYTES = 200 * MB;
const LITTLE_BYTES = 1024 * MB;

/** @param deps.freeBytes What our user can still write there. */
export async function checkDisk(deps: { dataDir: string; freeBytes(): Promise<number> }): Promise<Found> {
  const free = await deps.freeBytes();
  const text = `${deps.dataDir} has ${Math.floor(free / MB).toLocaleString('en')} MB left`;
  if (free < LEAST_BYTES)
    return problem(`${text}. Make room: on a full disk nothing can be approved, and no backup is made.`);
  return free < LITTLE_BYTES ? note(`${text}. Make room soon.`) : ok(`${text}.`);
}
