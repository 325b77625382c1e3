import { Card } from '../../components/card.tsx';

/** Shown while sign-in is in progress. */
export function Authenticating() {
  return (
    <Card title="Authenticating" busy>
      <p role="status">Signing you in with GitHub…</p>
    </Card>
  );
}
