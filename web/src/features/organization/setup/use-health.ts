import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Finding } from '../../../../../src/contract/findings.ts';
import type {
  CheckedRepository,
  OrganizationHealth,
} from '../../../../../src/contract/organization-health.ts';
import { type Poster, sentenceOf } from '../../../lib/api/api-client.ts';
import { cacheOf } from '../../../lib/react/queries.ts';
import { useClient } from '../../../lib/react/use-client.ts';

export type HealthState = {
  /** Null until the first answer. */
  health: OrganizationHealth | null;
  /** What keeps repositories from being protected; null until the first answer. */
  repositories: Finding[] | null;
  /** The first repositories into which anyone may merge without the check; null if they aren't read. */
  around: CheckedRepository[] | null;
  busy: boolean;
  /** Why the last read failed, and how many reads have failed since one succeeded. */
  failure: { text: string; count: number } | null;
  /** Reads everything again. Resolves to null if that fails. */
  refresh(): Promise<Read | null>;
};

type Read = { health: OrganizationHealth } & CountsRead;
type CountsRead = { repositories: Finding[]; around: CheckedRepository[] | null };

/** How often the page looks for new results while it follows the checks and the tab is in sight. */
const POLL_MS = 10_000;
/** How long the page looks for the result of a request to check the repositories again. */
const FOLLOW_MS = 60_000;

/** The setup health of an organization (by GitHub's id). Reads it once `enabled` is true, and follows its checks. */
export function useHealth(orgID: number, enabled: boolean): HealthState {
  const client = useClient();
  const { api } = client;
  const cache = cacheOf(client);
  const [isFollowing, setIsFollowing] = useState(false);
  const [polled, setPolled] = useState<(CountsRead & { since: Read }) | null>(null);
  const queryKey = ['setup health', orgID];
  const { data, error, errorUpdateCount, isFetching } = useQuery<Read | null>(
    {
      ...{ queryKey, enabled, queryFn: () => readHealth(api, orgID, false) },
      // The failure of the first read stays on the page during the next one, as it does next to an answer.
      ...{ initialData: null, staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0) },
    },
    cache,
  );
  const read = data ?? null;
  const counted = polled?.since === read ? polled : read;

  const refresh = async () => {
    const again = read !== null;
    const queryFn = () => readHealth(api, orgID, again);
    const answer = await cache.fetchQuery<Read>({ queryKey, queryFn, staleTime: 0 }).catch(() => null);
    if (answer) setPolled(null);
    if (answer) setIsFollowing(again);
    return answer;
  };

  useEffect(() => {
    if (!isFollowing) return;
    const timer = window.setTimeout(() => setIsFollowing(false), FOLLOW_MS);
    return () => window.clearTimeout(timer);
  }, [isFollowing]);
  // A failure needs no error on the page: the next round tries again.
  const isChecking = counted?.repositories.some(({ id }) => id === 'unchecked') ?? false;
  const poll = useEffectEvent(() => {
    if (document.visibilityState !== 'visible') return;
    readCounts(api, orgID, false).then(
      (answer) => read && setPolled({ ...answer, since: read }),
      () => undefined,
    );
  });
  const isPolling = isFollowing || isChecking;
  useEffect(() => {
    if (!isPolling) return;
    const timer = window.setInterval(() => poll(), POLL_MS);
    return () => window.clearInterval(timer);
  }, [isPolling]);

  return {
    health: read?.health ?? null,
    repositories: counted?.repositories ?? null,
    around: counted?.around ?? null,
    busy: isFetching,
    failure: error && { text: sentenceOf(error), count: errorUpdateCount },
    refresh,
  };
}

/** The health and the counts. `again` checks the repositories again first. */
async function readHealth(api: Poster, orgID: number, again: boolean): Promise<Read> {
  const health = await api.post('/organization-health', { orgID, again });
  const { repositories } = health;
  if (again) return { health, ...(await readCounts(api, orgID, true)) };
  // The page is right without the names, so their failure is no error.
  const isOpen = repositories.some(({ id }) => id === 'bypass');
  const named = isOpen && (await readCounts(api, orgID, false).catch(() => null));
  return { health, ...(named || { repositories, around: null }) };
}

async function readCounts(api: Poster, orgID: number, again: boolean): Promise<CountsRead> {
  const answer = await api.post('/organization-repositories', { orgID, state: 'bypass', again });
  return { repositories: answer.findings, around: answer.repositories };
}
