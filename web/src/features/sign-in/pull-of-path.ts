import { readPageContext } from '../../lib/page-context.ts';

/**
 * The pull request that an approval page's path names, as `owner/repository #7`. Anyone can write a link, so it's only
 * text, and only what GitHub allows as names; else null.
 */
export function pullOfPath(path: string): string | null {
  const [page = '', query = ''] = path.split('?');
  const { owner, repo, pr } = readPageContext(query);
  const isPull =
    /^\/collect(-passkey|-totp)?$/.test(page) &&
    /^[A-Za-z0-9_-]{1,39}$/.test(owner) &&
    /^[\w.-]{1,100}$/.test(repo) &&
    /^[1-9]\d{0,9}$/.test(pr);
  return isPull ? `${owner}/${repo} #${pr}` : null;
}
