import type { TotpRegistrationAnswer } from '../../../../src/contract/totp.ts';
import type { Poster } from '../../lib/api-client.ts';
import type { StepUp } from '../../lib/step-up.ts';
import type { Organization } from './organization.ts';

type Deps = { api: Poster; accessToken: () => string };
type Input = Organization & { totpValue: string; totpSecret: string };

/**
 * Registers an authenticator app's secret; the code proves that the app has it. Rejects with an `ApiError`; nothing is
 * registered then.
 */
export const registerTotp = (
  { api, accessToken }: Deps,
  input: Input,
  stepUp?: StepUp,
): Promise<TotpRegistrationAnswer> =>
  api.post('/github-register-totp', {
    ...input,
    ...(stepUp && { stepUp }),
    accessToken: accessToken(),
  });
