import type { TotpRegistrationAnswer } from '../../contract/authenticators.ts';
import type { Person } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { parseSecret, stepOfCode } from '../codes/totp.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import { ASSURED_TOTP, requireAssured } from '../require-assured.ts';
import { requireRegistrant } from '../require-registrant.ts';
import { type AdmissionProofs, admitRegistration, storeRegistration } from './admit-registration.ts';

/**
 * Registers an authenticator app by its secret, with a code that proves that
 * the app has it. Uses the code up.
 *
 * @throws AppError `notAccepted`, `weakSecret`, `wrongCode`, `alreadyRegistered`,
 *   and the refusals of the membership and of the admission.
 */
export async function registerTotp(
  deps: AuthenticatorDeps,
  input: {
    person: Person;
    orgID: number;
    totpSecret: string;
    totpValue: string;
  } & AdmissionProofs,
): Promise<TotpRegistrationAnswer> {
  const { person } = input;
  const org = await requireRegistrant(deps, person, input.orgID);
  const { policy } = await deps.policies.inForce(input.orgID);
  requireAssured(deps, { ...ASSURED_TOTP, userVerified: false }, { org, policy });
  const secret = parseSecret(input.totpSecret);
  if (!secret) throw new AppError('weakSecret');
  const admit = await admitRegistration(deps, { person, org, policy, proofs: input });
  if (await deps.totpApps.find(person.userId, org.id)) throw new AppError('alreadyRegistered');
  const step = stepOfCode(secret, input.totpValue, deps.clock.now());
  if (step === null) throw new AppError('wrongCode');
  const admission = await admit();
  if (admission.order === 'pending') throw new AppError('codesCantBeFirst');

  const label = `${person.login}@${org.name}/github`;
  const added = await storeRegistration(deps, {
    person,
    org,
    admission,
    authenticator: { type: 'totp', label },
    add: (holder, effects) => deps.totpApps.add({ label, secret, step }, holder, admission, effects),
  });
  return { ...added, label };
}
