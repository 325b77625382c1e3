import { AppError } from '../app-error.ts';
import type { StepUp } from '../contract/step-up.ts';
import type { Organization } from '../organizations/ports.ts';
import type { Person } from '../people/ports.ts';
import type { FirstOrFurther } from './ports.ts';
import { requireStepUp, type StepUpDeps } from './step-up.ts';

type Registration = { person: Person; org: Organization; proof: StepUp | undefined };

/**
 * Decides whether a new authenticator is the person's first in the organization
 * or a further one.
 *
 * @throws AppError `stepUpRequired` for a further one without a proof.
 */
export async function firstOrFurther(
  deps: StepUpDeps,
  { person, org, proof }: Registration,
): Promise<FirstOrFurther> {
  if (!(await hasAuthenticator(deps, person.userId, org.id))) return 'first';
  if (!proof) throw new AppError('stepUpRequired');
  return 'further';
}

async function hasAuthenticator(deps: StepUpDeps, userId: string, orgRecordId: string): Promise<boolean> {
  // Records that can't be used count too. Otherwise spoiling them would let a sign-in alone register a first one.
  const found = await Promise.all([
    deps.credentials.hasRecords(userId, orgRecordId),
    deps.totpApps.hasRecord(userId, orgRecordId),
  ]);
  return found.includes(true);
}

/**
 * Requires the step-up of a further authenticator. Call it when everything else
 * about the registration is verified, because it uses the proof up.
 */
export async function requireStepUpIfFurther(
  deps: StepUpDeps,
  { person, org, proof, order }: Registration & { order: FirstOrFurther },
): Promise<void> {
  if (order === 'first') return;
  if (!proof) throw new AppError('stepUpRequired');
  await requireStepUp(deps, { session: person, org, action: { type: 'register-authenticator' }, proof });
}
