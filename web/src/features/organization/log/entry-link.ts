import { organizationQuery } from '../../../lib/organizations.ts';
import { keepQuery } from '../../../lib/page-context.ts';
import type { Organization } from '../../../lib/user.ts';
import type { Entry } from './entry.ts';
import { isWarningKind } from './entry-text.ts';

type Subject = Pick<Entry, 'kind' | 'data'>;

/** The dashboard's page about the subject of an entry; null if there is none. */
export function entryPath(
  { kind, data }: Subject,
  organization: Pick<Organization, 'name' | 'orgId' | 'installationId'>,
): string | null {
  const query = organizationQuery(organization);
  switch (kind) {
    case 'webauthnCollect':
    case 'totpCollect':
    case 'approvalWithdraw': {
      const { sha, pr, repo } = data;
      if (!sha || !pr || !repo) return null;
      return keepQuery('/commit', '', { head: sha, pr: String(pr), repo, ...query });
    }
    case 'webauthnRegister':
    case 'totpRegister':
    case 'authenticatorRename':
    case 'authenticatorDelete':
    case 'memberAuthenticatorDelete':
      return keepQuery('/org/authenticators', '', query);
    case 'setOrgImage':
      return keepQuery('/org/image', '', query);
    default:
      return null;
  }
}

/** The pull request on GitHub that a warning links to; null for other entries. */
export function entryPull(
  { kind, data: { repo, pr } }: Subject,
  { name }: Pick<Organization, 'name'>,
): { owner: string; repo: string; pr: string } | null {
  return isWarningKind(kind) && repo && pr ? { owner: name, repo, pr: String(pr) } : null;
}
