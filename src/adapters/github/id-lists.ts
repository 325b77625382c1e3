import type { Clock } from '../../shared/clock.ts';
import { createExpiringMap } from '../../shared/expiring-map.ts';
import { fromGitHub, NOT_READABLE } from './from-github.ts';
import { createPageCache, type RequestPage, unchanged } from './page-cache.ts';

/** So long one reading answers for everybody, because a judgement asks about many people at once. */
const TRUSTED_MS = 10_000;

/**
 * The ids of the accounts in a list on GitHub; null if the installation can't see it. Somebody's joining or leaving
 * counts after 10 seconds at most.
 */
export function createIdLists(clock: Clock) {
  const list = createPageCache();
  const recent = createExpiringMap<Promise<Set<number> | null>>(clock);
  return (name: string, request: RequestPage<{ id: number }>): Promise<Set<number> | null> => {
    const known = recent.get(name);
    if (known !== undefined) return known;
    const pages = list(
      name,
      (page, etag) => request(page, etag).catch(unchanged),
      ({ id }) => id,
    );
    const reading = fromGitHub(pages, NOT_READABLE).then((ids) => ids && new Set(ids));
    recent.set(name, reading, TRUSTED_MS);
    // An outage isn't an answer: the next one asks again.
    reading.catch(() => recent.delete(name));
    return reading;
  };
}
