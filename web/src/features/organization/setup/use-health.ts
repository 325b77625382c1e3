import { useCallback, useEffect, useRef, useState } from 'react';
import type {
  OrganizationHealth,
  OrganizationRepositoriesAnswer,
  RepositoryCounts,
} from '../../../../../src/contract/organization-health.ts';
import { sentenceOf } from '../../../lib/api-client.ts';
import { useClient } from '../../../lib/use-client.ts';
import { useRefreshWhile } from '../repositories/use-refresh-while.ts';

export type HealthState = {
  /** Null until the first answer. */
  health: OrganizationHealth | null;
  /** How many repositories require the check; null until the first answer. */
  counts: RepositoryCounts | null;
  busy: boolean;
  /** Why the last read failed, and how many reads have failed since one succeeded. */
  failure: { text: string; count: number } | null;
  /** Reads everything again. Resolves to null if that fails. */
  refresh(): Promise<Read | null>;
};

type Read = { health: OrganizationHealth; counts: RepositoryCounts };

/** After a request to check the repositories again, how long we look for the result. */
const FOLLOW_MS = 60_000;

/** The setup health of an organization (by GitHub's id). Reads it once `enabled` is true, and follows its checks. */
export function useHealth(orgID: number, enabled: boolean): HealthState {
  const { api } = useClient();
  const [read, setRead] = useState<Read | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<HealthState['failure']>(null);
  const [isFollowing, setIsFollowing] = useState(false);

  const readCounts = useCallback(
    async (again: boolean) => {
      const body = { orgID, state: 'all', again };
      return (await api.post<OrganizationRepositoriesAnswer>('/organization-repositories', body)).counts;
    },
    [api, orgID],
  );

  const load = useCallback(
    async (again: boolean) => {
      setBusy(true);
      try {
        const health = await api.post<OrganizationHealth>('/organization-health', { orgID, again });
        const answer = { health, counts: again ? await readCounts(true) : health.counts };
        setRead(answer);
        setFailure(null);
        setIsFollowing(again);
        return answer;
      } catch (error) {
        setFailure((last) => ({ text: sentenceOf(error), count: (last?.count ?? 0) + 1 }));
        return null;
      } finally {
        setBusy(false);
      }
    },
    [api, orgID, readCounts],
  );

  const hasStarted = useRef(false);
  useEffect(() => {
    if (!enabled || hasStarted.current) return;
    hasStarted.current = true;
    void load(false);
  }, [enabled, load]);

  useEffect(() => {
    if (!isFollowing) return;
    const timer = window.setTimeout(() => setIsFollowing(false), FOLLOW_MS);
    return () => window.clearTimeout(timer);
  }, [isFollowing]);
  // A failure needs no error on the page: the next round tries again.
  useRefreshWhile(isFollowing || (read?.counts.unchecked ?? 0) > 0, () => {
    readCounts(false).then(
      (counts) => setRead((now) => now && { ...now, counts }),
      () => undefined,
    );
  });

  return {
    health: read?.health ?? null,
    counts: read?.counts ?? null,
    busy,
    failure,
    refresh: () => load(read !== null),
  };
}
