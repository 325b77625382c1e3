import { useCallback } from 'react';
import type { PullChangesAnswer } from '../../../../src/contract/pull-changes.ts';
import { useClient, usePageContext } from '../../lib/use-client.ts';
import { useLoaded } from '../../lib/use-loaded.ts';
import { readApprovalTarget } from './approval-target.ts';

/** The head's commit message, and whether its files were approved before. */
export function usePullChanges() {
  const { api, session } = useClient();
  const context = usePageContext();
  const { loaded } = useLoaded(
    useCallback(async () => {
      const body = { ...readApprovalTarget(context), accessToken: session.accessToken() };
      return api.post<PullChangesAnswer>('/pull-changes', body);
    }, [api, session, context]),
  );
  return loaded;
}
