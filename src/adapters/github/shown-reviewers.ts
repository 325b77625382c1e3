import type { PullRequest } from '../../approvals/ports.ts';
import type { Pull } from './open-heads-query.ts';

/**
 * The requested reviewers. Null if GitHub shows only some of them, or one that we can't name as the REST API does: then
 * what a webhook said stays.
 */
export function shownReviewers({ reviewRequests }: Pull): PullRequest['reviewers'] {
  const { totalCount, nodes } = reviewRequests ?? {};
  if (!nodes || nodes.length !== totalCount) return null;
  const all = nodes.map((node) => node?.requestedReviewer);
  const people = all.flatMap((reviewer) => reviewer?.databaseId ?? []);
  const teams = all.flatMap((reviewer) => reviewer?.slug ?? []);
  return people.length + teams.length === all.length ? { people, teams } : null;
}

type Failure = { errors?: { path?: unknown[] }[]; data?: unknown };

/** What GitHub answered, if all that it refused to show are reviewers: teams need a permission of their own. */
export function withoutReviewers<T>(error: unknown): T | null {
  const { errors, data } = error as Failure;
  if (!data || !Array.isArray(errors) || errors.length === 0) return null;
  return errors.every(({ path }) => path?.includes('reviewRequests')) ? (data as T) : null;
}
