import { useLocation } from 'react-router-dom';
import { keepQuery } from '../../lib/page-context.ts';
import { usePageContext } from '../../lib/use-client.ts';
import { useSafeRedirect } from '../../lib/use-safe-redirect.ts';

/** Leaves a finished registration for the page that the person came from, or home if there is none. */
export function useLeaveRegistration(): () => void {
  const { redirectURL } = usePageContext();
  const { search } = useLocation();
  const redirect = useSafeRedirect();
  return () => redirect(redirectURL || keepQuery('/', search, { stepUp: null }));
}
