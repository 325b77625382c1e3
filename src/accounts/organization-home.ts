import { AppError } from '../app-error.ts';
import { approvalPath, type Places, pullUrl } from '../approvals/links.ts';
import type { Installations, OpenPulls } from '../approvals/ports.ts';
import type { OrganizationAnswer, OrganizationMembersAnswer, WaitingPull } from '../contract/organization.ts';
import { requireOwner } from './membership.ts';
import type { Members, Memberships, Organization, Organizations, Role, Session } from './ports.ts';

const MOST_WAITING = 10;
const MEMBERS_A_PAGE = 50;

type Deps = {
  installations: Installations;
  organizations: Organizations;
  members: Members;
  memberships: Memberships;
  openPulls: OpenPulls;
  places: Places;
};

/**
 * What the home of an organization shows: to members whether it is protected,
 * to owners besides who has an authenticator and what waits.
 *
 * @throws AppError `installationNotFound`, `notMember`.
 */
export async function organizationHome(
  deps: Deps,
  input: { session: Session; orgID: number },
): Promise<OrganizationAnswer> {
  const known = await deps.organizations.byOrgId(input.orgID);
  if (!known || known.installationId === 0) throw new AppError('installationNotFound');
  const [installation, asked] = await Promise.all([
    deps.installations.get(known.installationId),
    deps.members.role(known, input.session),
  ]);
  if (!installation) throw new AppError('installationNotFound');
  const role = installation.suspended ? await lastRole(deps, known, input.session) : asked;
  if (!role) throw new AppError('notMember');
  const isOwner = role === 'admin' && !installation.suspended;
  return {
    id: known.orgId,
    name: known.name,
    htmlUrl: known.htmlUrl,
    accountType: known.accountType,
    role,
    installation: {
      id: installation.id,
      suspended: installation.suspended,
      repositorySelection: installation.repositorySelection,
      settingsUrl: installation.settingsUrl,
    },
    members: isOwner ? await countOf(deps, known) : null,
    waiting: isOwner ? await waitingIn(deps, known) : null,
  };
}

/** A suspended App is told nothing about anyone: there the last word of GitHub's stands, and shows nothing but this. */
async function lastRole({ memberships }: Deps, org: Organization, session: Session): Promise<Role | null> {
  const own = await memberships.of(session.userId);
  return own.find((membership) => membership.org.id === org.id)?.role ?? null;
}

async function countOf({ memberships }: Deps, org: Organization): Promise<OrganizationAnswer['members']> {
  return { ...(await memberships.count(org.id)), asOf: org.membersAt?.toISOString() ?? null };
}

async function waitingIn(deps: Deps, org: Organization): Promise<OrganizationAnswer['waiting']> {
  const { total, pulls } = await deps.openPulls.waiting(org.id, MOST_WAITING);
  const shown = pulls.map(({ repoId, repoName, pr, title, author, head, since }): WaitingPull => {
    const repo = { id: repoId, owner: org.name, name: repoName, ownerId: org.orgId };
    const pull = { number: pr, title, head, repo };
    return {
      repo: repoName,
      pr,
      title,
      author,
      head,
      since: since.toISOString(),
      url: pullUrl(deps.places, pull),
      approval: approvalPath(deps.places, { installation: org.installationId }, pull),
    };
  });
  return { total, pulls: shown };
}

/**
 * The organization's members with whether they have an authenticator there, for its owners.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function organizationMembers(
  deps: Pick<Deps, 'organizations' | 'members' | 'memberships'>,
  input: { session: Session; orgID: number; state: 'all' | 'missing'; after?: string | undefined },
): Promise<OrganizationMembersAnswer> {
  const org = await requireOwner(deps, input.session, input.orgID);
  const found = await deps.memberships.list(org.id, {
    missing: input.state === 'missing',
    after: input.after ?? '',
    most: MEMBERS_A_PAGE + 1,
  });
  const members = found.slice(0, MEMBERS_A_PAGE);
  return { members, next: found.length > MEMBERS_A_PAGE ? (members.at(-1)?.login ?? null) : null };
}
