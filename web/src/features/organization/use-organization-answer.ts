import { useCallback } from 'react';
import type { OrganizationAnswer } from '../../../../src/contract/organization.ts';
import { useClient, useLoaded } from '../../lib/use-client.ts';

/** The server's answer about an organization (by GitHub's id), for a page that works without it; null until it's here. */
export function useOrganizationAnswer(orgID: number): OrganizationAnswer | null {
  const { api } = useClient();
  const { loaded } = useLoaded(
    useCallback(() => api.post<OrganizationAnswer>('/organization', { orgID }), [api, orgID]),
  );
  return loaded.status === 'ok' ? loaded.value : null;
}
