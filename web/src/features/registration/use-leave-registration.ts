import { useLocation, useNavigate } from 'react-router-dom';
import type { RegistrationAnswer } from '../../../../src/contract/authenticators.ts';
import { saveOwnPending } from '../../lib/own-pending.ts';
import { keepQuery } from '../../lib/page-context.ts';
import { useClient, usePageContext, useUser } from '../../lib/use-client.ts';
import { useSafeRedirect } from '../../lib/use-safe-redirect.ts';

type Answer = Pick<RegistrationAnswer, 'id' | 'pending'>;

/**
 * Leaves a finished registration for the page that the person came from, or home if there is none; one that is pending,
 * for the page that waits with them.
 */
export function useLeaveRegistration(): (answer: Answer) => void {
  const { local } = useClient();
  const { id: userId } = useUser();
  const { redirectURL, ownerID: orgID } = usePageContext();
  const { search } = useLocation();
  const redirect = useSafeRedirect();
  const navigate = useNavigate();
  return ({ id, pending = false }) => {
    if (!pending) return redirect(redirectURL || keepQuery('/', search, { stepUp: null }), 'registered');
    saveOwnPending(local, { userId, orgID }, id);
    void navigate(keepQuery('/waiting', search, { stepUp: null }), { replace: true });
  };
}
