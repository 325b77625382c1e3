import { AppError } from './app-error.ts';

/**
 * Waits for work, but no longer than `ms` after it last called `onProgress`. The work itself can't be ended from here and
 * may continue.
 *
 * @throws AppError `tookTooLong`.
 */
export async function inTime<T>(ms: number, work: (onProgress: () => void) => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new AppError('tookTooLong')), ms);
  });
  try {
    return await Promise.race([work(() => timer?.refresh()), late]);
  } finally {
    clearTimeout(timer);
  }
}

export const isTooLate = (error: unknown) => error instanceof AppError && error.code === 'tookTooLong';
