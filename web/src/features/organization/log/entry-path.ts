import { organizationQuery } from '../../../lib/organizations.ts';
import { keepQuery } from '../../../lib/page-context.ts';
import type { Organization } from '../../../lib/user.ts';
import type { Entry } from './entry.ts';

/** The page about what an entry is about; null where there is none. */
export function entryPath(
  { kind, data }: Pick<Entry, 'kind' | 'data'>,
  organization: Pick<Organization, 'name' | 'orgId' | 'installationId'>,
): string | null {
  const query = organizationQuery(organization);
  switch (kind) {
    case 'webauthnCollect':
    case 'totpCollect': {
      const { sha, pr, repo } = data;
      if (!sha || !pr || !repo) return null;
      return keepQuery('/commit', '', { head: sha, pr: String(pr), repo, ...query });
    }
    case 'webauthnRegister':
    case 'totpRegister':
    case 'authenticatorDelete':
    case 'memberAuthenticatorDelete':
      return keepQuery('/org/authenticators', '', query);
    case 'setOrgImage':
      return keepQuery('/org/image', '', query);
    default:
      return null;
  }
}

/** The pull request that an entry leads to on GitHub; null where there is none. */
export function entryPull(
  { kind, data: { repo, pr } }: Pick<Entry, 'kind' | 'data'>,
  { name }: Pick<Organization, 'name'>,
): { owner: string; repo: string; pr: string } | null {
  return kind === 'unapprovedMerge' && repo && pr ? { owner: name, repo, pr: String(pr) } : null;
}
