import type { Answer } from './answer.ts';
import { RATE_LIMIT_TEXT } from './from-github.ts';

type Refused = Pick<Answer, 'status' | 'headers' | 'text'>;

/** GitHub documents one minute for a secondary limit that names no time. */
const DEFAULT_MS = 60_000;
/** GitHub renews its limits every hour, so a longer time is an error of its, or of a clock, and must not stop us for years. */
const LONGEST_MS = 61 * 60_000;

/**
 * For how long GitHub wants no further request, in milliseconds and at most about an hour; 0 if the answer is no rate limit
 * (docs.github.com, "Rate limits for the REST API", "Exceeding the rate limit").
 */
export async function pauseOf(answer: Refused): Promise<number> {
  return Math.min(await requestedPause(answer), LONGEST_MS);
}

async function requestedPause(answer: Refused): Promise<number> {
  if (answer.status !== 403 && answer.status !== 429) return 0;
  const { headers } = answer;
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  if (retryAfter > 0) return retryAfter * 1000;
  if (headers.get('x-ratelimit-remaining') === '0') {
    const untilReset = Number(headers.get('x-ratelimit-reset')) * 1000 - Date.now();
    return untilReset > 0 ? untilReset : DEFAULT_MS;
  }
  const isLimit = answer.status === 429 || RATE_LIMIT_TEXT.test(await answer.text());
  return isLimit ? DEFAULT_MS : 0;
}
