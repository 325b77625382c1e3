import { AppError } from '../../src/app-error.ts';

/** The code that the work is refused with, or `passes`. An error that is not meant for a person is returned as it is. */
export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'passes',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );
