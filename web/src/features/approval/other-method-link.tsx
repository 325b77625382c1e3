import { InternalLink } from '../../components/internal-link.tsx';
import { usePageContext, useUser } from '../../lib/use-client.ts';
import { authenticatorsOf } from '../../lib/user.ts';
import type { ApprovalMethod } from './use-approval.ts';

/** Leads from the passkey page to the code page and back, if the person has an authenticator for it. */
export function OtherMethodLink({ method: { type } }: { method: ApprovalMethod }) {
  const { totp, webauthn } = authenticatorsOf(useUser(), usePageContext().ownerID);
  const toCode = type === 'webauthn';
  if (toCode ? !totp : webauthn.length === 0) return null;
  return (
    <p>
      <InternalLink to={toCode ? '/collect-totp' : '/collect-passkey'}>
        {toCode ? 'Use a one-time code instead' : 'Use a passkey instead'}
      </InternalLink>
    </p>
  );
}
