import type { OrganizationHealth } from '../../../../../src/contract/organization-health.ts';
import type { Poster } from '../../../lib/api-client.ts';

type Wanted = {
  /** Reads pages until there are this many repositories. */
  atLeast: number;
  /** Bypasses what the server remembers of GitHub's answers. */
  again: boolean;
};

/** An organization's setup health with its first repositories. Rejects with an `ApiError`. */
export async function readHealth(api: Poster, orgID: number, { atLeast, again }: Wanted) {
  let health = await readPage(api, orgID, { again });
  while (health.next !== null && health.repositories.length < atLeast) {
    health = addPage(health, await readPage(api, orgID, { after: health.next, again }));
  }
  return health;
}

/** One page of repositories. Rejects with an `ApiError`. */
export const readPage = (api: Poster, orgID: number, page: { after?: string; again?: boolean }) =>
  api.post<OrganizationHealth>('/organization-health', { orgID, ...page });

/** Adds a page's repositories; everything else in `health` stays. */
export const addPage = (health: OrganizationHealth, page: OrganizationHealth): OrganizationHealth => ({
  ...health,
  repositories: appendByName(health, page),
  next: page.next,
});

/** A new answer, plus the repositories of pages that were added while it was loading. */
export function refreshHealth(
  health: OrganizationHealth | null,
  answer: OrganizationHealth,
): OrganizationHealth {
  if (!health || answer.next === null) return answer;
  const repositories = appendByName(answer, health);
  const hasMore = repositories.length > answer.repositories.length;
  return { ...answer, repositories, next: hasMore ? health.next : answer.next };
}

/** The server sorts repositories by name, so only later names are new. */
function appendByName({ repositories }: OrganizationHealth, { repositories: others }: OrganizationHealth) {
  const last = repositories.at(-1)?.name ?? '';
  return [...repositories, ...others.filter(({ name }) => name > last)];
}
