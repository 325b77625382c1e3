import { useCallback, useEffect, useRef, useState } from 'react';
import type { OrganizationHealth } from '../../../../../src/contract/organization-health.ts';
import { storeSentence } from '../../../lib/record-store.ts';
import { useClient } from '../../../lib/use-client.ts';
import { type NextPage, useNextPage } from '../use-next-page.ts';
import { addPage, readHealth, readPage, refreshHealth } from './read-health.ts';

export type HealthState = {
  /** Null until the first answer. */
  health: OrganizationHealth | null;
  busy: boolean;
  /** Why the last read failed, and how many reads have failed since one succeeded. */
  failure: { text: string; count: number } | null;
  /** Reads everything on the page again. Resolves to null if that fails. */
  refresh(): Promise<OrganizationHealth | null>;
  nextPage: NextPage;
};

/** The setup health of an organization (by GitHub's id). Reads it once `enabled` is true. */
export function useHealth(orgId: number, enabled: boolean): HealthState {
  const { api } = useClient();
  const [health, setHealth] = useState<OrganizationHealth | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<HealthState['failure']>(null);

  const read = useCallback(
    async (atLeast: number, again: boolean) => {
      setBusy(true);
      try {
        const answer = await readHealth(api, orgId, { atLeast, again });
        setHealth((now) => refreshHealth(now, answer));
        setFailure(null);
        return answer;
      } catch (error) {
        setFailure((last) => ({ text: storeSentence(error), count: (last?.count ?? 0) + 1 }));
        return null;
      } finally {
        setBusy(false);
      }
    },
    [api, orgId],
  );

  const hasStarted = useRef(false);
  useEffect(() => {
    if (!enabled || hasStarted.current) return;
    hasStarted.current = true;
    void read(0, false);
  }, [enabled, read]);

  const nextPage = useNextPage(async () => {
    if (health?.next == null) return;
    const page = await readPage(api, orgId, { after: health.next });
    setHealth((now) => now && addPage(now, page));
  });
  return {
    health,
    busy,
    failure,
    refresh: () => read(health?.repositories.length ?? 0, health !== null),
    nextPage,
  };
}
