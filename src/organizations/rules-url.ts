import type { Origins } from '../shared/links.ts';

/** The page on GitHub on which an owner changes what a repository's branches require. */
export const rulesUrl = ({ githubUrl }: Origins, { owner, name }: { owner: string; name: string }): string =>
  `${githubUrl}/${owner}/${name}/settings/rules`;
