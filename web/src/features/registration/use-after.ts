import { useLocation } from 'react-router-dom';
import { keepQuery } from '../../lib/page-context.ts';
import { usePageContext } from '../../lib/use-client.ts';
import { useGo } from '../../lib/use-go.ts';

/** Where a registration leads on to: where the person came from, else the site root. */
export function useAfterRegistration(): () => void {
  const { redirectURL } = usePageContext();
  const { search } = useLocation();
  const go = useGo();
  return () => go(redirectURL || keepQuery('/', search, { stepUp: null }));
}
