import { startRegistration } from '@simplewebauthn/browser';
import type {
  RegistrationAnswer,
  RegistrationParamsAnswer,
  WebauthnType,
} from '../../../../src/contract/authenticators.ts';
import type { ApiClient } from '../../lib/api-client.ts';
import type { Organization } from './organization.ts';

type Deps = { api: ApiClient; accessToken: () => string };
type Input = Organization & { label: string; type: WebauthnType };
type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];

/**
 * Makes a new key on the person's authenticator and has the server keep it for this organization.
 * Rejects with an `ApiError` or with what the authenticator reported; nothing is registered then.
 */
export async function register({ api, accessToken }: Deps, input: Input): Promise<RegistrationAnswer> {
  const asked = { ...input, accessToken: accessToken() };
  const { options } = await api.post<RegistrationParamsAnswer>(
    '/github-register-authenticator-params',
    asked,
  );
  const pkCreds = await startRegistration({ optionsJSON: options as Options });
  return api.post('/github-register-passkey', { params: input, pkCreds, accessToken: accessToken() });
}
