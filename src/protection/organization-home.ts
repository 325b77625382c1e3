import type { OrganizationAnswer } from '../contract/organization.ts';
import { storedMembership } from '../organizations/require-role.ts';
import { waitingDeployments } from '../organizations/waiting-deployments.ts';
import { waitingIn } from '../organizations/waiting-pulls.ts';
import type { Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';
import { openWeakenings } from './acknowledge.ts';
import type { ProtectionDeps } from './deps.ts';
import { choiceFindings, SUSPENDED } from './findings.ts';

const MOST_WAITING = 10;

/**
 * Answers the content of an organization's home: to members the state of the installation,
 * and to owners also who has an authenticator, what is left open and which pull requests wait.
 *
 * @throws AppError `installationNotFound`, `notMember`.
 */
export async function organizationHome(
  deps: ProtectionDeps,
  input: { session: Session; orgID: number },
): Promise<OrganizationAnswer> {
  const org = await deps.organizations.byOrgId(input.orgID);
  if (!org || org.installationId === 0) throw new AppError('installationNotFound');
  const roleNow = deps.members.role(org, input.session);
  // GitHub refuses to say it while the App is suspended, and then nobody awaits it.
  roleNow.catch(() => undefined);
  const installation = await deps.installations.get(org.installationId);
  if (!installation) throw new AppError('installationNotFound');
  // While the App is suspended, GitHub says nothing about anyone; the stored role then gives access to this page only.
  const role = installation.suspended
    ? (await storedMembership(deps, input.session, org.orgId))?.role
    : await roleNow;
  if (!role) throw new AppError('notMember');
  const isOwner = role === 'admin' && !installation.suspended;
  const asOf = org.membersAt?.toISOString() ?? null;
  const members = isOwner
    ? { ...(await deps.memberships.count(org.id)), sendsMail: Boolean(deps.mailer), asOf }
    : null;
  const first = { search: '', after: '', most: MOST_WAITING };
  const found = isOwner ? await waitingIn(deps, org, first) : null;
  const policy = isOwner ? await deps.policies.inForce(org.orgId) : null;
  const open = isOwner
    ? await openWeakenings(deps, org, input.session)
    : { weakenings: null, weakeningsTotal: null };
  return {
    id: org.orgId,
    name: org.name,
    htmlUrl: org.htmlUrl,
    accountType: org.accountType,
    role,
    installation: {
      id: installation.id,
      suspended: installation.suspended,
      repositorySelection: installation.repositorySelection,
      settingsUrl: installation.settingsUrl,
    },
    members,
    findings: policy
      ? choiceFindings(policy, org.membersAt && members, open.weakeningsTotal ?? 0)
      : role === 'admin'
        ? [SUSPENDED]
        : null,
    ...open,
    deployments: isOwner ? await waitingDeployments(deps, org) : null,
    waiting: found && { total: found.total, asOf: found.asOf, pulls: found.pulls },
  };
}
