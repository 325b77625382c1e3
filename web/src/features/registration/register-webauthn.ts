import type { startRegistration } from '@simplewebauthn/browser';
import type { RegistrationAnswer, WebauthnType } from '../../../../src/contract/authenticators.ts';
import type { Poster } from '../../lib/api/api-client.ts';
import type { Session } from '../../lib/session/session.ts';
import type { NamedOrganization } from '../../lib/session/user.ts';
import { signalAccepted } from '../../lib/signing/signal-accepted.ts';
import type { Proofs } from './wizard.ts';

type Deps = {
  api: Poster;
  session: Pick<Session, 'accessToken' | 'getState' | 'refresh'>;
  create: CreateCredential;
};
type Input = NamedOrganization & { label: string; type: WebauthnType; device?: 'phone' | undefined };
type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Asks the person's authenticator. */
export type CreateCredential = (options: Options) => ReturnType<typeof startRegistration>;

/**
 * Creates a credential on the person's authenticator and registers it for the organization.
 * Rejects with an `ApiError` or the authenticator's error; nothing is registered then.
 */
export async function registerWebauthn(
  { api, session, create }: Deps,
  input: Input,
  proofs: Proofs,
): Promise<RegistrationAnswer> {
  const { options } = await api.post('/github-register-authenticator-params', {
    ...input,
    accessToken: session.accessToken(),
  });
  const pkCreds = await create(options as Options);
  try {
    return await api.post('/github-register-passkey', {
      params: input,
      pkCreds,
      ...proofs,
      accessToken: session.accessToken(),
    });
  } catch (error) {
    // The authenticator has stored a credential that the server may not have, so the browser would keep offering it.
    void session.refresh().then(() => signalAccepted(session, input.orgID));
    throw error;
  }
}
