import { AppError } from '../../src/shared/app-error.ts';

/** The code of the AppError with which the work rejects, or `passes`. Any other error is returned unchanged. */
export const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'passes',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );
