import { useCallback } from 'react';
import type { LostApprovals } from '../../../../src/contract/authenticators.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import type { Authenticator } from '../../lib/authenticator.ts';
import { useClient } from '../../lib/use-client.ts';
import { useLoaded } from '../../lib/use-loaded.ts';
import { lossText } from './lost-since.ts';

type Props = {
  authenticator: Pick<Authenticator, 'id' | 'type' | 'org'>;
  /** RFC 3339. */
  since: string;
  /** Whether no time was entered. */
  isAll: boolean;
};

/** What the deletion of a lost authenticator withdraws, before the person confirms it. */
export function LossPreview({ authenticator: { id, type, org }, since, isAll }: Props) {
  const { api } = useClient();
  const { orgId: orgID } = org;
  const { loaded } = useLoaded(
    useCallback(
      () => api.post<LostApprovals>('/lost-approvals', { type, id, orgID, since }),
      [api, type, id, orgID, since],
    ),
  );
  return (
    <>
      <p role="status">
        {loaded.status === 'awaiting' && (
          <Skeleton like="This withdraws 12 approvals made with it. 12 open pull requests lose an approval." />
        )}
        {loaded.status === 'ok' && lossText(loaded.value, isAll)}
        {loaded.status === 'failed' &&
          (loaded.code === 'wrongLostSince' || loaded.code === 'malformed'
            ? loaded.text
            : "We can't say now how many approvals that withdraws.")}
      </p>
      <p>Owners with a confirmed e-mail address get a message.</p>
    </>
  );
}
