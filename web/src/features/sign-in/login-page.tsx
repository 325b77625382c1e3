import { Navigate, useLocation } from 'react-router-dom';
import { keepQuery } from '../../lib/page-context.ts';
import { useSessionState } from '../../lib/use-client.ts';
import { LoginCard } from './login-card.tsx';

export function LoginPage() {
  const { search } = useLocation();
  const home = keepQuery('/', search);
  const state = useSessionState();
  if (state.status === 'signed-in') return <Navigate to={home} replace />;
  return <LoginCard returnTo={home} error={state.notice} />;
}
