import { requireMembership } from '../accounts/membership.ts';
import type { Members, Organizations, Person } from '../accounts/ports.ts';
import { AppError } from '../app-error.ts';
import type { StepUp } from '../contract/step-up.ts';
import type { TotpRegistrationAnswer } from '../contract/totp.ts';
import { entryOf, ownerOf, proveEntry } from './entry.ts';
import type { StepUpDeps } from './step-up.ts';
import { parseSecret, stepOfCode } from './totp.ts';

/**
 * Registers a one-time-code app: the secret that the person's app holds, proved
 * by a code of it. That code is used up by it.
 *
 * @throws AppError `weakSecret`, `wrongCode`, `alreadyRegistered`,
 *   `stepUpRequired`, and the refusals of the membership and of the step-up.
 */
export async function registerTotp(
  deps: StepUpDeps & { organizations: Organizations; members: Members },
  input: {
    person: Person;
    orgID: number;
    totpSecret: string;
    totpValue: string;
    stepUp?: StepUp | undefined;
  },
): Promise<TotpRegistrationAnswer> {
  const { person, stepUp: proof } = input;
  const org = await requireMembership(deps, person, input.orgID);
  const secret = parseSecret(input.totpSecret);
  if (!secret) throw new AppError('weakSecret');
  const entry = await entryOf(deps, { person, org, proof });
  if (await deps.totpApps.of(person.userId, org.id)) throw new AppError('alreadyRegistered');
  const step = stepOfCode(secret, input.totpValue, deps.clock.now());
  if (step === null) throw new AppError('wrongCode');
  await proveEntry(deps, { person, org, proof, entry });

  const label = `${person.login}@${org.name}/github`;
  const added = await deps.totpApps.add({ label, secret, step }, ownerOf(person, org), entry);
  if (added === 'known') throw new AppError('alreadyRegistered');
  if (added === 'notFirst') throw new AppError('stepUpRequired');
  return { ...added, label };
}
