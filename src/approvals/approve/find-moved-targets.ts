import type { ApprovalTarget } from '../../contract/approvals.ts';
import type { Organizations } from '../../organizations/ports.ts';
import type { OpenPulls, StoredRepository } from '../ports.ts';

export type FindMovedDeps = {
  organizations: Pick<Organizations, 'byOrgId'>;
  openPulls: Pick<OpenPulls, 'repositories'>;
};

/**
 * Where the pull request of an old link may be now, most certain first. This
 * only says what to ask GitHub about: the caller authorizes the person there,
 * and requires `repoID`.
 */
export async function* findMovedTargets(
  deps: FindMovedDeps,
  target: ApprovalTarget,
): AsyncGenerator<ApprovalTarget> {
  const addresses = await findById(deps, target);
  const candidates =
    addresses.length > 0
      ? addresses
      : await Promise.all([findReinstalled(deps, target), findTransferred(deps, target)]);
  for (const change of candidates) {
    const moved = { ...target, ...change };
    if (change && !isSame(moved, target)) yield moved;
  }
}

/** A transfer is saved one pull request at a time, so the store knows two addresses in the meantime. */
const MOST_ADDRESSES = 3;
const MOST_PULLS = 50;

async function findById({ openPulls }: FindMovedDeps, { repoID }: ApprovalTarget) {
  if (repoID === undefined) return [];
  const repositories = await openPulls.repositories({ repoId: repoID }, MOST_PULLS);
  const addresses = new Map(
    repositories.map((repository) => [JSON.stringify(repository), addressOf(repository)]),
  );
  return [...addresses.values()].slice(0, MOST_ADDRESSES);
}

/** Keeps the names, under the account's new installation. */
async function findReinstalled({ organizations }: FindMovedDeps, { ownerID }: ApprovalTarget) {
  const org = await organizations.byOrgId(ownerID);
  return org && org.installationId > 0 ? { installation: org.installationId } : null;
}

/**
 * Keeps the names, read by the installation of the one other account that has
 * such a pull request. GitHub has to redirect these names to that repository: a
 * stranger's copy, with the same commit and number, doesn't get them.
 */
async function findTransferred({ openPulls }: FindMovedDeps, { owner, repo, pr, head }: ApprovalTarget) {
  const [repository, another] = await openPulls.repositories({ pr, head }, 2);
  if (!repository || another) return null;
  return { ...addressOf(repository), owner, repo };
}

function addressOf({ id, installation, owner, ownerId, name }: StoredRepository) {
  return { installation, owner, ownerID: ownerId, repo: name, repoID: id };
}

function isSame(target: ApprovalTarget, other: ApprovalTarget): boolean {
  const names = ['installation', 'owner', 'ownerID', 'repo'] as const;
  return names.every((name) => target[name] === other[name]);
}

/**
 * The accounts that a target doesn't name but may be read from, by what the store knows. A body can name one organization
 * and a repository of another, and then GitHub is asked with the other's installation.
 */
export async function accountsElsewhere(deps: FindMovedDeps, target: ApprovalTarget): Promise<number[]> {
  const accounts = new Set<number>();
  for await (const moved of findMovedTargets(deps, target)) accounts.add(moved.ownerID);
  accounts.delete(target.ownerID);
  return [...accounts];
}
