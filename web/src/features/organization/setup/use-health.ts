import { useCallback, useEffect, useRef, useState } from 'react';
import type { Finding } from '../../../../../src/contract/findings.ts';
import type {
  CheckedRepository,
  OrganizationHealth,
} from '../../../../../src/contract/organization-health.ts';
import { sentenceOf } from '../../../lib/api/api-client.ts';
import { useClient } from '../../../lib/react/use-client.ts';
import { useRefreshWhile } from '../repositories/use-refresh-while.ts';

export type HealthState = {
  /** Null until the first answer. */
  health: OrganizationHealth | null;
  /** What keeps repositories from being protected; null until the first answer. */
  repositories: Finding[] | null;
  /** The first repositories into which somebody may merge without the check; null if they aren't read. */
  around: CheckedRepository[] | null;
  busy: boolean;
  /** Why the last read failed, and how many reads have failed since one succeeded. */
  failure: { text: string; count: number } | null;
  /** Reads everything again. Resolves to null if that fails. */
  refresh(): Promise<Read | null>;
};

type Read = { health: OrganizationHealth } & CountsRead;
type CountsRead = { repositories: Finding[]; around: CheckedRepository[] | null };

/** How long the page looks for the result of a request to check the repositories again. */
const FOLLOW_MS = 60_000;

/** The setup health of an organization (by GitHub's id). Reads it once `enabled` is true, and follows its checks. */
export function useHealth(orgID: number, enabled: boolean): HealthState {
  const { api } = useClient();
  const [read, setRead] = useState<Read | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<HealthState['failure']>(null);
  const [isFollowing, setIsFollowing] = useState(false);

  const readCounts = useCallback(
    async (again: boolean): Promise<CountsRead> => {
      const body = { orgID, state: 'bypass', again } as const;
      const answer = await api.post('/organization-repositories', body);
      return { repositories: answer.findings, around: answer.repositories };
    },
    [api, orgID],
  );

  const load = useCallback(
    async (again: boolean) => {
      setBusy(true);
      try {
        const health = await api.post('/organization-health', { orgID, again });
        const { repositories } = health;
        // The page is right without the names, so their failure is no error.
        const isOpen = repositories.some(({ id }) => id === 'bypass');
        const named = isOpen && !again ? await readCounts(false).catch(() => null) : null;
        const answer = {
          health,
          ...(again ? await readCounts(true) : (named ?? { repositories, around: null })),
        };
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
  const isChecking = read?.repositories.some(({ id }) => id === 'unchecked') ?? false;
  useRefreshWhile(isFollowing || isChecking, () => {
    readCounts(false).then(
      (counted) => setRead((now) => now && { ...now, ...counted }),
      () => undefined,
    );
  });

  return {
    health: read?.health ?? null,
    repositories: read?.repositories ?? null,
    around: read?.around ?? null,
    busy,
    failure,
    refresh: () => load(read !== null),
  };
}
