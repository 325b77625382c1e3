import type { Organization, Person } from '../accounts/ports.ts';
import { AppError } from '../app-error.ts';
import type { StepUp } from '../contract/step-up.ts';
import type { Entry, Owner } from './ports.ts';
import { requireStepUp, type StepUpDeps } from './step-up.ts';

/** Whether the person has any authenticator in the organization, of any kind. */
async function isEnrolled(deps: StepUpDeps, userId: string, orgRecordId: string): Promise<boolean> {
  const [credentials, app] = await Promise.all([
    deps.credentials.of(userId, orgRecordId),
    deps.totpApps.of(userId, orgRecordId),
  ]);
  return credentials.length > 0 || app !== null;
}

/**
 * How a new authenticator of the person comes in: the first one on the session
 * alone, each further one with a proof by one that is there.
 *
 * @throws AppError `stepUpRequired` where a proof is needed and none was sent.
 */
export async function entryOf(
  deps: StepUpDeps,
  input: { person: Person; org: Organization; proof: StepUp | undefined },
): Promise<Entry> {
  if (!(await isEnrolled(deps, input.person.userId, input.org.id))) return 'first';
  if (!input.proof) throw new AppError('stepUpRequired');
  return 'further';
}

/** Takes the proof of a further authenticator, once everything else about it is known to be right. */
export async function proveEntry(
  deps: StepUpDeps,
  input: { person: Person; org: Organization; proof: StepUp | undefined; entry: Entry },
): Promise<void> {
  const { person, org, proof, entry } = input;
  if (entry === 'first') return;
  if (!proof) throw new AppError('stepUpRequired');
  await requireStepUp(deps, { session: person, org, action: { type: 'register-authenticator' }, proof });
}

export function ownerOf(person: Pick<Person, 'userId' | 'login'>, org: Organization): Owner {
  return {
    userId: person.userId,
    login: person.login,
    org: { recordId: org.id, id: org.orgId, name: org.name },
  };
}
