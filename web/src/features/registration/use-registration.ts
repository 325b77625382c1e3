import { startRegistration, WebAuthnAbortService, type WebAuthnErrorCode } from '@simplewebauthn/browser';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { RegistrationAnswer } from '../../../../src/contract/authenticators.ts';
import { keepQuery } from '../../lib/address/page-context.ts';
import { ApiError } from '../../lib/api/api-client.ts';
import { useClient, usePageContext, useUser } from '../../lib/react/use-client.ts';
import { useSafeRedirect } from '../../lib/react/use-safe-redirect.ts';
import { saveOwnPending } from '../../lib/signing/own-pending.ts';
import { inPhases, type Phase } from '../../lib/signing/sign-shown.ts';
import { signalAccepted } from '../../lib/signing/signal-accepted.ts';
import { TEXTS, webauthnErrorText } from '../../lib/signing/webauthn-errors.ts';
import type { CreateCredential } from './register-webauthn.ts';
import type { Wizard } from './use-wizard.ts';
import type { Proofs } from './wizard.ts';

type Answer = Pick<RegistrationAnswer, 'id' | 'pending'>;

/**
 * The registration of one authenticator, after which the person leaves the page.
 *
 * @param send Makes the call, with the wizard's proofs if some are needed, and with the function that asks for a new
 *   credential.
 * @param onDone Called once the authenticator is registered and the session refreshed.
 */
export function useRegistration<Input>(
  wizard: Pick<Wizard, 'prove' | 'handleRefusal'>,
  send: (input: Input, proofs: Proofs, create: CreateCredential) => Promise<Answer>,
  onDone: () => void = () => undefined,
) {
  const { session } = useClient();
  const { ownerID: orgID } = usePageContext();
  const leave = useLeaveRegistration();
  const [status, setStatus] = useState<'awaiting' | Phase | 'complete'>('awaiting');
  const [error, setError] = useState<string | null>(null);

  useEffect(() => () => WebAuthnAbortService.cancelCeremony(), []);

  const attempt = async (input: Input): Promise<Answer | null> => {
    try {
      const proofs = await wizard.prove();
      if (!proofs) return null;
      const create: CreateCredential = (optionsJSON) => startRegistration({ optionsJSON });
      const answer = await send(input, proofs, inPhases(create, setStatus));
      await session.refresh();
      return answer;
    } catch (cause) {
      if (!(cause instanceof ApiError)) setError(registrationErrorText(cause));
      else if (!(await wizard.handleRefusal(cause))) setError(cause.message);
      return null;
    }
  };

  const register = async (input: Input): Promise<void> => {
    if (status !== 'awaiting') return;
    setStatus('pending');
    setError(null);
    const answer = await attempt(input);
    setStatus(answer ? 'complete' : 'awaiting');
    if (!answer) return;
    onDone();
    void signalAccepted(session, orgID);
    leave(answer);
  };

  return { status, error, register: (input: Input) => void register(input) };
}

/** A person can't fix a malformed request, so the operator has to hear of it. */
const MALFORMED =
  'The browser refused the request of OTP Guard. Reload this page; if that is no help, tell its operator.';

/** The text for each of the library's other codes. */
const REGISTRATION: Record<Exclude<WebAuthnErrorCode, keyof typeof TEXTS>, string> = {
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED:
    'The authenticator was previously registered\nYou can use it already, or register another one.',
  ERROR_INVALID_USER_ID_LENGTH: MALFORMED,
  ERROR_MALFORMED_PUBKEYCREDPARAMS: MALFORMED,
  ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG:
    "This authenticator doesn't support the key types that OTP Guard accepts. Use another one.",
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT:
    "This authenticator can't store a passkey. Use another one.",
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    "This authenticator can't verify that it's you. Set up a PIN, fingerprint or face, or use another one.",
  ERROR_AUTO_REGISTER_USER_VERIFICATION_FAILURE:
    "Your password manager couldn't verify that it's you. Try again.",
  ERROR_SIGNAL_INVALID_ARGUMENT: MALFORMED,
};

/** The banner's text about a failed registration; null if this page aborted it. */
export const registrationErrorText = (error: unknown): string | null =>
  webauthnErrorText(error, {
    notCompleted: 'Registration was not completed',
    nothing: 'Nothing was registered.',
    texts: { ...TEXTS, ...REGISTRATION },
  });

/**
 * Leaves a finished registration for the page that the person came from, or home if there is none; a registration that
 * is pending, for the page that waits with them.
 */
function useLeaveRegistration(): (answer: Answer) => void {
  const { local } = useClient();
  const { id: userId } = useUser();
  const { redirectURL, ownerID: orgID } = usePageContext();
  const { search } = useLocation();
  const redirect = useSafeRedirect();
  const navigate = useNavigate();
  return ({ id, pending = false }) => {
    if (!pending)
      return redirect(redirectURL || keepQuery('/', search, { stepUp: null }), { done: 'registered' });
    saveOwnPending(local, { userId, orgID }, id);
    void navigate(keepQuery('/waiting', search, { stepUp: null }), { replace: true });
  };
}
