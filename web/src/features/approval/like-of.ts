import type { PageContext } from '../../lib/page-context.ts';

/** Texts about as long as the server's will be. Nobody reads them: the address is only a hint. */
export const likeOf = ({ owner, repo, pr, title }: PageContext) => ({
  name: `${owner}/${repo} #${pr}`,
  title: title || 'The title of this pull request',
});
