import { useLocation, useNavigate } from 'react-router-dom';
import { keepQuery } from './page-context.ts';

/** Goes back one page, or home if this is the first page in the tab. */
export function useBack(): () => void {
  const navigate = useNavigate();
  const { search } = useLocation();
  return () => {
    // The router stores its position in the history's state.
    if (Number(window.history.state?.idx) > 0) void navigate(-1);
    else void navigate(keepQuery('/', search), { replace: true });
  };
}
