import type { OrganizationHealth } from '../../../../../src/contract/organization.ts';
import type { Poster } from '../../../lib/api-client.ts';

type Asked = {
  /** How many repositories to read at least, where there are so many. */
  atLeast: number;
  /** Asks GitHub again, also for what was asked a moment ago. */
  again: boolean;
};

/** What keeps an organization from being protected, with its first repositories. Rejects with an `ApiError`. */
export async function readHealth(api: Poster, orgID: number, { atLeast, again }: Asked) {
  let health = await readPage(api, orgID, { again });
  while (health.next !== null && health.repositories.length < atLeast) {
    health = addPage(health, await readPage(api, orgID, { after: health.next, again }));
  }
  return health;
}

/** The page of repositories that follows. Rejects with an `ApiError`. */
export const readPage = (api: Poster, orgID: number, page: { after?: string; again?: boolean }) =>
  api.post<OrganizationHealth>('/organization-health', { orgID, ...page });

/** The repositories of the next page below those that are there; what stands above them stays as it is. */
export const addPage = (health: OrganizationHealth, page: OrganizationHealth): OrganizationHealth => ({
  ...health,
  repositories: withAdded(health, page),
  next: page.next,
});

/** A new answer, with the repositories below it that came while it was on its way. */
export function renew(health: OrganizationHealth | null, answer: OrganizationHealth): OrganizationHealth {
  if (!health || answer.next === null) return answer;
  const repositories = withAdded(answer, health);
  const more = repositories.length > answer.repositories.length;
  return { ...answer, repositories, next: more ? health.next : answer.next };
}

/** By name, as the server sorts them. */
function withAdded({ repositories }: OrganizationHealth, { repositories: others }: OrganizationHealth) {
  const last = repositories.at(-1)?.name ?? '';
  return [...repositories, ...others.filter(({ name }) => name > last)];
}
