import { DamagedStore } from '../../../shared/start-error.ts';
import { firstLogLine } from './first-log-line.ts';

/** What to say of a record store that can't use `dataDir`, from what its process wrote or the system's error code. */
export function storeError(dataDir: string, written: string | undefined): Error {
  const reason = firstLogLine(written);
  const Kind = /malformed|not a database/.test(reason) ? DamagedStore : Error;
  return new Kind(`The record store cannot use ${dataDir}: ${reason}`);
}
