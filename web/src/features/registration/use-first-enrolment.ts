import { useCallback } from 'react';
import { NO_ACCESS } from '../../lib/api-client.ts';
import { readEnrolment } from '../../lib/enrolment.ts';
import { useClient } from '../../lib/use-client.ts';
import { useLoaded } from '../../lib/use-loaded.ts';

/**
 * How the organization guards this person's first authenticator. `mode` is null until that is known, and `refusal` says
 * why they can't register there at all. Without an answer the mode is `open`: the server decides anyway, and says what
 * is missing.
 */
export function useFirstEnrolment(orgID: string, isFirst: boolean) {
  const { api } = useClient();
  const { loaded, reload } = useLoaded(
    useCallback(async () => (isFirst ? readEnrolment(api, orgID) : null), [api, orgID, isFirst]),
  );
  const enrolment = loaded.status === 'ok' ? loaded.value : null;
  const mode = loaded.status === 'failed' ? 'open' : (enrolment?.mode ?? null);
  const isRefused = loaded.status === 'failed' && NO_ACCESS.includes(loaded.code);
  return { enrolment, mode, refusal: isRefused ? loaded.text : null, reload } as const;
}
