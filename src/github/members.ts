import type { Member, Members, OrganizationRef, Role } from '../accounts/ports.ts';
import type { RepositoryAccess } from '../approvals/ports.ts';
import type { GitHubApp } from './app.ts';
import { answer } from './errors.ts';

type Who = { githubId: number; login: string };

/** How long a yes is taken for a hint of the next one. */
const EXPECTED_MS = 10 * 60_000;

const keyOf = (org: { installationId: number }, person: { githubId: number }) =>
  `${org.installationId}:${person.githubId}`;

/** Who belongs to an account and who may read a repository, as GitHub says at this moment. */
export function createMembers(app: GitHubApp): Members & RepositoryAccess {
  const lately = new Map<string, number>();
  /** Where a collaborator was found last: most likely they are there still, and one question is enough. */
  const foundIn = new Map<string, string>();
  const level: RepositoryAccess['level'] = async ({ installation, owner, name }, person) => {
    const asked = app
      .asInstallation(installation)
      .then((octokit) =>
        octokit.rest.repos.getCollaboratorPermissionLevel({ owner, repo: name, username: person.login }),
      );
    const found = await answer(asked, [403, 404], null);
    // A login can pass to another person, so the id decides whose permission this is.
    if (found === null || found.data.user?.id !== person.githubId || found.data.permission === 'none')
      return 'none';
    // GitHub answers the older names here: triage counts as read, maintain as write.
    return found.data.permission === 'read' ? 'read' : 'write';
  };

  const listed = async (org: OrganizationRef, role: Role): Promise<Member[] | null> => {
    const octokit = await app.asInstallation(org.installationId);
    const asked = octokit.paginate(octokit.rest.orgs.listMembers, { org: org.name, role, per_page: 100 });
    const all = await answer(asked, [403, 404], null);
    return all?.map(({ id, login }) => ({ githubId: id, login, role })) ?? null;
  };

  return {
    level,

    async list(org) {
      const admins = await listed(org, 'admin');
      const members = await listed(org, 'member');
      // Whose role changes in between could be in neither list: who is made an owner is in the second one.
      const adminsNow = members && (await listed(org, 'admin'));
      if (!admins || !members || !adminsNow) return null;
      const all = new Map([...admins, ...members, ...adminsNow].map((member) => [member.githubId, member]));
      return [...all.values()];
    },

    async loginOf(org, githubId) {
      const octokit = await app.asInstallation(org.installationId);
      // https://docs.github.com/en/rest/users/users#get-a-user-using-their-id
      const asked = octokit.request('GET /user/{account_id}', { account_id: githubId });
      const found = await answer(asked, [404], null);
      return found?.data.id === githubId ? found.data.login : null;
    },

    isExpected: (org, person) => (lately.get(keyOf(org, person)) ?? 0) > Date.now(),

    async role(org, person) {
      const role = await askRole(org, person);
      if (role) lately.set(keyOf(org, person), Date.now() + EXPECTED_MS);
      else lately.delete(keyOf(org, person));
      return role;
    },
  };

  async function askRole(org: OrganizationRef, person: Who): Promise<Role | null> {
    if (org.accountType === 'User') return personalRole(org, person);
    const asked = app
      .asInstallation(org.installationId)
      .then((octokit) => octokit.rest.orgs.getMembershipForUser({ org: org.name, username: person.login }));
    const found = await answer(asked, [403, 404], null);
    if (found?.data.state !== 'active') return null;
    if (found.data.user?.id !== person.githubId || found.data.organization.id !== org.orgId) return null;
    return found.data.role === 'admin' ? 'admin' : 'member';
  }

  async function personalRole(org: OrganizationRef, person: Who): Promise<Role | null> {
    if (org.orgId === person.githubId) return 'admin' as const;
    const octokit = await app.asInstallation(org.installationId);
    const repositories = await answer(
      octokit.paginate(octokit.rest.apps.listReposAccessibleToInstallation, { per_page: 100 }),
      [403, 404],
      [],
    );
    const key = keyOf(org, person);
    const likely = foundIn.get(key);
    const inOrder = repositories.toSorted(
      (one, other) => Number(other.name === likely) - Number(one.name === likely),
    );
    for (const { owner, name } of inOrder) {
      const repo = { installation: org.installationId, owner: owner.login, name };
      // A collaborator of a personal repository may always write; anyone may read a public one.
      if ((await level(repo, person)) === 'write') {
        foundIn.set(key, name);
        return 'member' as const;
      }
    }
    foundIn.delete(key);
    return null;
  }
}
