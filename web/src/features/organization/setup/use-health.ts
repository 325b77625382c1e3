import { useCallback, useEffect, useRef, useState } from 'react';
import type { OrganizationHealth } from '../../../../../src/contract/organization.ts';
import { storeSentence } from '../../../lib/record-store.ts';
import { useClient } from '../../../lib/use-client.ts';
import { type MoreState, useMore } from '../use-more.ts';
import { addPage, readHealth, readPage, renew } from './health.ts';

export type HealthState = {
  /** What is known; null until the first answer. */
  health: OrganizationHealth | null;
  busy: boolean;
  /** Why the newest look failed, and how many have since the last success. */
  failure: { text: string; count: number } | null;
  /** Looks again, at all that is shown. Resolves to null where that failed. */
  look(): Promise<OrganizationHealth | null>;
  more: MoreState;
};

/** How an organization (by GitHub's id) is set up, read once it is `wanted`. */
export function useHealth(orgId: number, wanted: boolean): HealthState {
  const { api } = useClient();
  const [health, setHealth] = useState<OrganizationHealth | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<HealthState['failure']>(null);

  const look = useCallback(
    async (atLeast: number, again: boolean) => {
      setBusy(true);
      try {
        const answer = await readHealth(api, orgId, { atLeast, again });
        setHealth((now) => renew(now, answer));
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

  const asked = useRef(false);
  useEffect(() => {
    if (!wanted || asked.current) return;
    asked.current = true;
    void look(0, false);
  }, [wanted, look]);

  const more = useMore(async () => {
    if (health?.next == null) return;
    const page = await readPage(api, orgId, { after: health.next });
    setHealth((now) => now && addPage(now, page));
  });
  return {
    health,
    busy,
    failure,
    look: () => look(health?.repositories.length ?? 0, health !== null),
    more,
  };
}
