import type { Organization } from '../organizations/ports.ts';
import { requireMember } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import type { AuthenticatorDeps } from './deps.ts';

/**
 * Returns the organization if the person may have an authenticator there: a
 * member, or an outside collaborator whose approvals a rule takes.
 *
 * @throws AppError `installationNotFound`, `installationSuspended`, `notMember`.
 */
export async function requireRegistrant(
  deps: AuthenticatorDeps,
  person: Session,
  orgID: number,
): Promise<Organization> {
  return requireMember(deps, person, orgID).catch(async (error: unknown) => {
    const isStranger = error instanceof AppError && error.code === 'notMember';
    const org = isStranger ? await deps.organizations.byOrgId(orgID) : null;
    if (org && (await deps.isWelcomeFromOutside?.(org, person))) return org;
    throw error;
  });
}
