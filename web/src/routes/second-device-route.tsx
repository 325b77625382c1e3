import { useLocation } from 'react-router-dom';
import { useTakeDeviceLink } from '../features/registration/device-link.ts';
import { SecondDevicePage } from '../features/registration/second-device-page.tsx';
import { LoginCard } from '../features/sign-in/login-card.tsx';
import { useSessionState } from '../lib/react/use-client.ts';

/** `/second-device`. A sign-in would lose the link's fragment, so the page takes it first and asks to sign in itself. */
export function SecondDeviceRoute() {
  const state = useSessionState();
  const { pathname, search } = useLocation();
  const isTaken = useTakeDeviceLink();
  if (!isTaken) return null;
  if (state.status === 'signed-in') return <SecondDevicePage />;
  return <LoginCard returnTo={pathname + search} error={state.notice} />;
}
