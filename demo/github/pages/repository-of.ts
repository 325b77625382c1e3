import type { Request } from 'express';

/** `{owner}/{repo}` of a request's path, encoded for another path. */
export function repositoryOf({ params }: Request): string {
  return `${encodeURIComponent(String(params.owner))}/${encodeURIComponent(String(params.repo))}`;
}
