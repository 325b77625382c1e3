import type { startRegistration } from '@simplewebauthn/browser';
import type {
  RegistrationAnswer,
  RegistrationParamsAnswer,
  WebauthnType,
} from '../../../../src/contract/authenticators.ts';
import { ApiError, type Poster } from '../../lib/api-client.ts';
import { forgetCredential } from '../../lib/forget-credential.ts';
import type { NamedOrganization } from '../../lib/user.ts';
import type { Proofs } from './wizard.ts';

type Deps = { api: Poster; accessToken: () => string; create: CreateCredential };
type Input = NamedOrganization & { label: string; type: WebauthnType };
type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Asks the person's authenticator. */
export type CreateCredential = (options: Options) => ReturnType<typeof startRegistration>;

/**
 * Creates a credential on the person's authenticator and registers it for the organization.
 * Rejects with an `ApiError` or the authenticator's error; nothing is registered then.
 */
export async function registerWebauthn(
  { api, accessToken, create }: Deps,
  input: Input,
  proofs: Proofs,
): Promise<RegistrationAnswer> {
  const { options } = await api.post<RegistrationParamsAnswer>('/github-register-authenticator-params', {
    ...input,
    accessToken: accessToken(),
  });
  const pkCreds = await create(options as Options);
  try {
    return await api.post('/github-register-passkey', {
      params: input,
      pkCreds,
      ...proofs,
      accessToken: accessToken(),
    });
  } catch (error) {
    // The authenticator has stored a credential that the server hasn't, so the browser would keep offering it.
    const mayBeKnown = !(error instanceof ApiError) || error.mayPass || error.code === 'alreadyRegistered';
    if (!mayBeKnown) void forgetCredential(pkCreds.id);
    throw error;
  }
}
