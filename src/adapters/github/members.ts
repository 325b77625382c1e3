import type { RepositoryAccess, Teams } from '../../approvals/ports.ts';
import type { Member, Members, OrganizationRef, Role } from '../../organizations/ports.ts';
import { isAtLeast } from '../../policies/counts.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { createExpiringMap } from '../../shared/expiring-map.ts';
import type { GitHubApp } from './app.ts';
import { createIdLists, read, readList } from './conditional-reads.ts';
import { fromGitHub, NOT_VISIBLE } from './from-github.ts';
import { listRepositories } from './installations.ts';
import { AT_ONCE, readAll } from './pages.ts';
import { requireBudget } from './rate-limits.ts';

/** How long after GitHub confirmed a member we expect that they still are one. */
const EXPECTED_MS = 10 * 60_000;

/** Reads from GitHub, each time, who belongs to an account. */
export function createMembers(app: GitHubApp, access: RepositoryAccess, clock: Clock = systemClock): Members {
  const personalAccountRole = createPersonalAccountRoles(app, access);
  const recentMembers = createExpiringMap<true>(clock, EXPECTED_MS);
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
      if (role) recentMembers.set(keyOf(org, person), true);
      else recentMembers.delete(keyOf(org, person));
      return role;
    },
  };
}

async function listWithRole(app: GitHubApp, org: OrganizationRef, role: Role): Promise<Member[] | null> {
  const octokit = await app.asInstallation(org.installationId);
  const request = readAll(octokit.rest.orgs.listMembers, { org: org.name, role }, (all) => all);
  const all = await fromGitHub(request, NOT_VISIBLE);
  return all?.map(({ id, login }) => ({ githubId: id, login, role })) ?? null;
}

type Membership = { role: Role | null; githubId: number | undefined; orgId: number | undefined };

/** Reads the membership with a conditional request: rules ask for the role of everybody who approved, at every look. */
async function organizationRole(
  app: GitHubApp,
  org: OrganizationRef,
  person: { githubId: number; login: string },
): Promise<Role | null> {
  const octokit = await app.asInstallation(org.installationId);
  const at = { org: org.name, username: person.login };
  const request = read(octokit.rest.orgs.getMembershipForUser, at, toMembership);
  const found = await fromGitHub(request, NOT_VISIBLE);
  // Logins and names can pass to others, so the ids decide.
  return found?.githubId === person.githubId && found.orgId === org.orgId ? found.role : null;
}

type Answer = { state: string; role: string; user: { id: number } | null; organization?: { id: number } };

const toMembership = ({ state, role, user, organization }: Answer): Membership => ({
  role: state !== 'active' ? null : role === 'admin' ? 'admin' : 'member',
  githubId: user?.id,
  orgId: organization?.id,
});

/**
 * Roles in a personal account: its owner is the admin, and people who can write
 * to one of its repositories are members.
 */
function createPersonalAccountRoles(app: GitHubApp, access: RepositoryAccess) {
  /** The repository in which we last found each collaborator. It's read first, which usually saves reading the others. */
  const foundIn = new Map<string, string>();

  return async (org: OrganizationRef, person: { githubId: number; login: string }): Promise<Role | null> => {
    if (org.orgId === person.githubId) return 'admin';
    const key = `${org.installationId}:${person.githubId}`;
    const octokit = await app.asInstallation(org.installationId);
    const repositories = (await fromGitHub(listRepositories(octokit), NOT_VISIBLE)) ?? [];
    const likely = foundIn.get(key);
    const likelyFirst = repositories.toSorted(
      (one, other) => Number(other.name === likely) - Number(one.name === likely),
    );
    let size = likely ? 1 : AT_ONCE;
    for (let from = 0; from < likelyFirst.length; from += size, size = AT_ONCE) {
      const some = likelyFirst.slice(from, from + size);
      const granted = await Promise.all(
        some.map(({ owner, name }) =>
          access.permission({ installation: org.installationId, owner, name }, person),
        ),
      );
      // Anyone can read a public repository, so only `write` makes a member.
      const found = some[granted.findIndex((permission) => isAtLeast(permission, 'write'))];
      if (!found) continue;
      foundIn.set(key, found.name);
      return 'member';
    }
    foundIn.delete(key);
    return null;
  };
}

/**
 * Who belongs to a team. GitHub's list has the members of child teams too, without those who are only invited, and it
 * has ids; its answer about one person has only their login, which can pass to another.
 */
export function createTeams(app: GitHubApp, clock: Clock = systemClock): Teams {
  const members = createIdLists(clock);
  return {
    async has({ installation, owner }, team, person) {
      const [org = '', slug = ''] = team.toLowerCase().replace(/^@/, '').split('/');
      // Dots alone would be another path.
      if (org !== owner.toLowerCase() || /^\.*$/.test(slug)) return null;
      const octokit = await app.asInstallation(installation);
      const ids = await members(`${installation}/${org}/${slug}`, () =>
        readList(octokit.rest.teams.listMembersInOrg, { org: owner, team_slug: slug }, (all) =>
          all.map(({ id }) => id),
        ),
      );
      return ids === null ? null : ids.has(person.githubId);
    },
  };
}
