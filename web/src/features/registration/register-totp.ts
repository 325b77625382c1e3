import type { TotpRegistrationAnswer } from '../../../../src/contract/totp.ts';
import type { Poster } from '../../lib/api-client.ts';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import type { Proofs } from './proofs.ts';

type Deps = { api: Poster; accessToken: () => string };
type Input = NamedOrganization & { totpValue: string; totpSecret: string };

/**
 * Registers an authenticator app's secret; the code proves that the app has it. Rejects with an `ApiError`; nothing is
 * registered then.
 */
export const registerTotp = (
  { api, accessToken }: Deps,
  input: Input,
  proofs: Proofs,
): Promise<TotpRegistrationAnswer> =>
  api.post('/github-register-totp', {
    ...input,
    ...proofs,
    accessToken: accessToken(),
  });
