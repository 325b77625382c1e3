import type { OrganizationRef, RepositoryRef } from '../../organizations/ports.ts';
import { createNamesCollaborators, namesCollaborators } from '../../policies/details-to-read.ts';
import type { HeadDeps } from '../deps.ts';
import type { SomePerson } from '../judge/read-grounds.ts';

/** A collaborator is looked for in at most this many repositories: anybody with a GitHub account can make us look. */
const MOST_REPOSITORIES = 10;

/**
 * Tells whether a person who isn't a member may approve in the repository at all: an
 * enforced rule about it names outside collaborators, and GitHub says that they
 * are one. Whether their approval counts is `requireCounted`'s question. A
 * personal account has none: its collaborators are its members.
 */
export async function isWelcomeIn(
  deps: HeadDeps,
  person: SomePerson,
  { account, repo }: { account: OrganizationRef; repo: RepositoryRef },
): Promise<boolean> {
  if (account.accountType === 'User') return false;
  const { policy } = await deps.policies.inForce(account.orgId);
  return namesCollaborators(policy, repo.name) && deps.access.isCollaborator(repo, person);
}

/** Tells whether they may approve in any of the first ten repositories whose rules name outside collaborators. */
export async function isWelcomeSomewhere(
  deps: HeadDeps,
  person: SomePerson,
  account: OrganizationRef,
): Promise<boolean> {
  const { orgId, installationId: installation, accountType } = account;
  const { policy } = await deps.policies.inForce(orgId);
  if (accountType === 'User' || !namesCollaborators(policy)) return false;
  const all = (await deps.installations.repositories(installation)) ?? [];
  const isNamed = createNamesCollaborators(policy);
  const named = all.filter(({ name }) => isNamed(name)).slice(0, MOST_REPOSITORIES);
  for (const { owner, name } of named)
    if (await deps.access.isCollaborator({ installation, owner, name }, person)) return true;
  return false;
}
