import { ApiError } from '../../../lib/api/api-client.ts';

export type Job = { signal: AbortSignal; onProgress: (text: string) => void };

/** A server that limits requests says how long to wait; more often than this it's another problem. */
const MOST_WAITS = 20;
const LONGEST_WAIT_S = 120;

/**
 * Reads page after page until there is none. Rejects as `read` does, or as `fetch` does if the job is cancelled.
 *
 * @param read Reads the page after `after`: the `next` of the page before.
 */
export async function* readPages<Page extends { next: unknown }>(
  job: Job,
  read: (after: NonNullable<Page['next']> | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let after: NonNullable<Page['next']> | undefined;
  do {
    const page: Page = await readPatiently(job, () => read(after));
    yield page;
    after = page.next ?? undefined;
  } while (after !== undefined);
}

/** Waits and reads again where the server asks to. */
async function readPatiently<Page>({ signal, onProgress }: Job, read: () => Promise<Page>): Promise<Page> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await read();
    } catch (error) {
      const seconds = error instanceof ApiError ? error.retryAfter : undefined;
      if (seconds === undefined || seconds > LONGEST_WAIT_S || waits >= MOST_WAITS) throw error;
      onProgress(`OTP Guard asks to wait ${seconds} seconds.`);
      await wait(seconds * 1000, signal);
    }
  }
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
