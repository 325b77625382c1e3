import { startRegistration } from '@simplewebauthn/browser';
import type {
  RegistrationAnswer,
  RegistrationParamsAnswer,
  WebauthnType,
} from '../../../../src/contract/authenticators.ts';
import type { TotpRegistrationAnswer } from '../../../../src/contract/totp.ts';
import { ApiError, type Poster } from '../../lib/api-client.ts';
import { forgetCredential } from '../../lib/forget-credential.ts';
import type { StepUp } from '../../lib/step-up.ts';
import type { Organization } from './organization.ts';

type Deps = { api: Poster; accessToken: () => string };
type WebauthnInput = Organization & { label: string; type: WebauthnType };
type TotpInput = Organization & { totpValue: string; totpSecret: string };
type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];

/**
 * Makes a new key on the person's authenticator and has the server keep it for this organization.
 * Rejects with an `ApiError` or with what the authenticator reported; nothing is registered then.
 */
export async function registerWebauthn(
  { api, accessToken }: Deps,
  input: WebauthnInput,
  stepUp?: StepUp,
): Promise<RegistrationAnswer> {
  const asked = { ...input, accessToken: accessToken() };
  const { options } = await api.post<RegistrationParamsAnswer>(
    '/github-register-authenticator-params',
    asked,
  );
  const pkCreds = await startRegistration({ optionsJSON: options as Options });
  try {
    return await api.post('/github-register-passkey', {
      params: input,
      pkCreds,
      ...(stepUp && { stepUp }),
      accessToken: accessToken(),
    });
  } catch (error) {
    // The authenticator has the key already, and would offer it from now on.
    if (error instanceof ApiError && [403, 429].includes(error.status)) void forgetCredential(pkCreds.id);
    throw error;
  }
}

/** Has the server keep the secret of a one-time code app, on the proof that the app has it too. */
export function registerTotp(
  { api, accessToken }: Deps,
  input: TotpInput,
  stepUp?: StepUp,
): Promise<TotpRegistrationAnswer> {
  return api.post('/github-register-totp', {
    ...input,
    ...(stepUp && { stepUp }),
    accessToken: accessToken(),
  });
}
