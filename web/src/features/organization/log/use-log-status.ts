import { useCallback } from 'react';
import type { LogStatus } from '../../../../../src/contract/receipts.ts';
import { useClient } from '../../../lib/use-client.ts';
import { useLoaded } from '../../../lib/use-loaded.ts';

/** How long an organization's log is, and whether it's intact. @param orgID GitHub's id. */
export function useLogStatus(orgID: number) {
  const { api } = useClient();
  return useLoaded(useCallback(() => api.post<LogStatus>('/organization-log', { orgID }), [api, orgID]));
}
