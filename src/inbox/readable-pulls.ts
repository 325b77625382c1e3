import type { PullRequests, RepositoryAccess } from '../approvals/ports.ts';
import type { AskedBy } from '../contract/inbox.ts';
import type { Permission } from '../contract/policy.ts';
import type { Members } from '../organizations/ports.ts';
import { type Pools, waitsFor } from './asked-by.ts';
import type { Reader, WaitingPull } from './ports.ts';
import type { Standing, Where } from './waits-for.ts';

/** In so many repositories we ask GitHub about one person for one e-mail. */
const MOST_REPOSITORIES = 20;

/** An organization, its policy and its people. */
export type Here = Where & { pools: Pools };

export type AskedPull = { pull: WaitingPull; asked: AskedBy };

/** The pull requests that wait for this person and for few others, longest waiting first. */
export const askedOf = (pulls: WaitingPull[], standing: Standing, where: Here): AskedPull[] =>
  pulls.flatMap((pull) => {
    const asked = waitsFor(pull, standing, where)?.asked;
    return asked ? [{ pull, asked }] : [];
  });

/**
 * Those of them in repositories that the person can read, as GitHub says now: an
 * e-mail reaches people without a token of theirs. Empty if they're no member
 * now. Of more than 20 repositories the rest is left out.
 */
export async function readableOf(
  deps: { access: Pick<RepositoryAccess, 'permission'>; members: Pick<Members, 'role'> },
  reader: Reader,
  { asked, standing, where }: { asked: AskedPull[]; standing: Standing; where: Here },
): Promise<AskedPull[]> {
  if (asked.length === 0) return [];
  const role = await deps.members.role(reader.org, reader);
  if (!role) return [];
  const names = new Map(asked.map(({ pull }) => [pull.repoId, pull.repoName]));
  const granted = new Map<number, Permission>();
  for (const [id, name] of [...names].slice(0, MOST_REPOSITORIES)) {
    const repo = { installation: reader.org.installationId, owner: reader.org.name, name };
    const permission = await deps.access.permission(repo, reader);
    if (permission !== 'none') granted.set(id, permission);
  }
  const pulls = asked.map(({ pull }) => pull);
  return askedOf(pulls, { ...standing, role, permissionIn: (repoId) => granted.get(repoId) }, where);
}

/** Compares pull requests with GitHub, once for all their readers. */
export type IsCurrent = (reader: Reader, pull: WaitingPull) => Promise<boolean>;

/**
 * Whether GitHub shows this head there now. Another repository may have taken
 * the name that we know, and then its readers aren't those of this one.
 */
export function createIsCurrent(deps: { pulls: Pick<PullRequests, 'get'> }): IsCurrent {
  const known = new Map<WaitingPull, Promise<boolean>>();
  const ask = async ({ org }: Reader, { repoId, repoName, pr, head }: WaitingPull) => {
    const repo = { installation: org.installationId, owner: org.name, name: repoName };
    const pull = await deps.pulls.get(repo, pr);
    return pull?.open === true && pull.head === head && pull.repo.id === repoId;
  };
  return (reader, pull) => {
    const asked = known.get(pull) ?? ask(reader, pull);
    known.set(pull, asked);
    return asked;
  };
}
