import { KeptLink } from '../../components/kept-link.tsx';
import { usePageContext, useUser } from '../../lib/use-client.ts';
import { authenticatorsOf } from '../../lib/user.ts';

/** The way to approve with the other kind of authenticator, where the person has one. */
export function OtherWay({ kind }: { kind: 'totp' | 'passkey' }) {
  const { totp, webauthn } = authenticatorsOf(useUser(), usePageContext().ownerID);
  if (kind === 'totp' ? !totp : webauthn.length === 0) return null;
  return (
    <p>
      <KeptLink to={`/collect-${kind}`}>
        {kind === 'totp' ? 'Use a one-time code instead' : 'Use a passkey instead'}
      </KeptLink>
    </p>
  );
}
