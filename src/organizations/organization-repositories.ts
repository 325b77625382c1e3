import type { OrganizationRepositoriesAnswer, RepositoryState } from '../contract/organization-health.ts';
import type { Session } from '../people/ports.ts';
import type { Clock } from '../shared/clock.ts';
import type { Origins } from '../shared/links.ts';
import { syncRepositories } from './check-repositories.ts';
import type { Installations, Members, Organizations, RepositoryChecks } from './ports.ts';
import { requireOwner } from './require-role.ts';
import { rulesUrl } from './rules-url.ts';

const REPOSITORIES_A_PAGE = 50;
/** We don't request a younger answer again. */
const FRESH_MS = 5 * 60_000;

export type OrganizationRepositoriesDeps = {
  organizations: Organizations;
  members: Members;
  installations: Installations;
  repositoryChecks: RepositoryChecks;
  /** Begins a round of checks in the background, unless there was one in this minute. */
  checkRepositoriesSoon(): void;
  origins: Origins;
  clock: Clock;
};

/**
 * Lists what we last found in each of the organization's repositories for its
 * owners, one page at a time, and counts all of them. Asks GitHub for the list
 * only if it isn't known yet.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function organizationRepositories(
  deps: OrganizationRepositoriesDeps,
  input: {
    session: Session;
    orgID: number;
    state: RepositoryState;
    search?: string | undefined;
    after?: string | undefined;
    again?: boolean | undefined;
  },
): Promise<OrganizationRepositoriesAnswer> {
  const { session, orgID, state, search = '', after = '', again = false } = input;
  const org = await requireOwner(deps, session, orgID);
  const checkedBefore = new Date(deps.clock.now().getTime() - FRESH_MS);
  if (again) await deps.repositoryChecks.markDue({ orgRecordId: org.id, checkedBefore });
  let counts = await deps.repositoryChecks.counts(org.id);
  if (counts.total === 0) {
    await syncRepositories(deps, org);
    counts = await deps.repositoryChecks.counts(org.id);
  }
  if (again || counts.unchecked > 0) deps.checkRepositoriesSoon();
  const page = { state, search, after, most: REPOSITORIES_A_PAGE + 1 };
  const { matches, repositories } = await deps.repositoryChecks.list(org.id, page);
  const shown = repositories.slice(0, REPOSITORIES_A_PAGE);
  return {
    counts,
    matches,
    repositories: shown.map(({ name, defaultBranch, required, checked }) => ({
      ...{ name, defaultBranch, required, checked: checked?.toISOString() ?? null },
      rulesUrl: rulesUrl(deps.origins, { owner: org.name, name }),
    })),
    next: repositories.length > shown.length ? (shown.at(-1)?.name ?? null) : null,
  };
}
