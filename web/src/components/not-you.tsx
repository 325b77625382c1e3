import { type ComponentProps, type ReactNode, useState } from 'react';
import { useClient, useUser } from '../lib/react/use-client.ts';
import { logout } from '../lib/session/logout.ts';
import { Button } from './controls.tsx';

type Props = Pick<ComponentProps<typeof Button>, 'variant' | 'children'>;

/** Signs the person out and asks another person to sign in for this page, with GitHub's choice of accounts. */
export function NotYou({ variant = 'link', children }: Props): ReactNode {
  const client = useClient();
  const { username } = useUser();
  const [busy, setBusy] = useState(false);
  const leave = () => {
    setBusy(true);
    void logout(client, true);
  };
  return (
    <Button variant={variant} busy={busy} onClick={leave}>
      {children ?? `Not ${username}?`}
    </Button>
  );
}
