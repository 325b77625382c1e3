import { useLocation, useNavigate } from 'react-router-dom';
import { keepQuery } from './page-context.ts';

/** Goes back one page; from a page that was opened by its address, to the account. */
export function useBack(): () => void {
  const navigate = useNavigate();
  const { search } = useLocation();
  return () => {
    // The router counts its pages in the history's own state.
    if (Number(window.history.state?.idx) > 0) void navigate(-1);
    else void navigate(keepQuery('/', search), { replace: true });
  };
}
