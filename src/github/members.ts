import type { RepositoryAccess } from '../approvals/ports.ts';
import { type Clock, systemClock } from '../clock.ts';
import { createExpiringMap } from '../expiring-map.ts';
import type { Member, Members, OrganizationRef, Role } from '../organizations/ports.ts';
import type { GitHubApp } from './app.ts';
import { requireBudget } from './budgets.ts';
import { fromGitHub, NOT_VISIBLE } from './from-github.ts';
import { createPersonalAccountRoles } from './personal-account-roles.ts';

/** How long after GitHub confirmed a member we expect that they still are one. */
const EXPECTED_MS = 10 * 60_000;

/** Who belongs to an account: read from GitHub each time. */
export function createMembers(app: GitHubApp, access: RepositoryAccess, clock: Clock = systemClock): Members {
  const personalAccountRole = createPersonalAccountRoles(app, access);
  const recentMembers = createExpiringMap<true>(clock);
  const keyOf = (org: { installationId: number }, person: { githubId: number }) =>
    `${org.installationId}:${person.githubId}`;

  return {
    async list(org) {
      requireBudget(app.budget, org.installationId);
      const admins = await listWithRole(app, org, 'admin');
      const members = await listWithRole(app, org, 'member');
      // A member who becomes an owner between the two requests is in neither list, so owners are read again.
      const adminsNow = members && (await listWithRole(app, org, 'admin'));
      if (!admins || !members || !adminsNow) return null;
      const all = new Map([...admins, ...members, ...adminsNow].map((member) => [member.githubId, member]));
      return [...all.values()];
    },

    async loginOf(org, githubId) {
      const octokit = await app.asInstallation(org.installationId);
      // https://docs.github.com/en/rest/users/users#get-a-user-using-their-id
      const request = octokit.request('GET /user/{account_id}', { account_id: githubId });
      const found = await fromGitHub(request, { 404: null });
      return found?.data.id === githubId ? found.data.login : null;
    },

    isExpected: (org, person) => recentMembers.get(keyOf(org, person)) !== undefined,

    async role(org, person) {
      const role =
        org.accountType === 'User'
          ? await personalAccountRole(org, person)
          : await organizationRole(app, org, person);
      if (role) recentMembers.set(keyOf(org, person), true, EXPECTED_MS);
      else recentMembers.delete(keyOf(org, person));
      return role;
    },
  };
}

async function listWithRole(app: GitHubApp, org: OrganizationRef, role: Role): Promise<Member[] | null> {
  const octokit = await app.asInstallation(org.installationId);
  const request = octokit.paginate(octokit.rest.orgs.listMembers, { org: org.name, role, per_page: 100 });
  const all = await fromGitHub(request, NOT_VISIBLE);
  return all?.map(({ id, login }) => ({ githubId: id, login, role })) ?? null;
}

async function organizationRole(
  app: GitHubApp,
  org: OrganizationRef,
  person: { githubId: number; login: string },
): Promise<Role | null> {
  const request = app
    .asInstallation(org.installationId)
    .then((octokit) => octokit.rest.orgs.getMembershipForUser({ org: org.name, username: person.login }));
  const found = await fromGitHub(request, NOT_VISIBLE);
  if (found?.data.state !== 'active') return null;
  // Logins and names can pass to others, so the ids decide.
  if (found.data.user?.id !== person.githubId || found.data.organization.id !== org.orgId) return null;
  return found.data.role === 'admin' ? 'admin' : 'member';
}
