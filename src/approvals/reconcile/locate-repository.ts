import type { Organizations, RepositoryRef } from '../../organizations/ports.ts';
import type { OpenPulls } from '../ports.ts';

export type LocateDeps = {
  openPulls: Pick<OpenPulls, 'repositories'>;
  organizations: Pick<Organizations, 'byOrgId'>;
};

/**
 * How to address a repository now. Its names and its installation may have
 * changed since `repo` was stored, so this goes by its id, then by its owner's.
 */
export async function locateRepository(
  { openPulls, organizations }: LocateDeps,
  { repo, repoId, orgId }: { repo: RepositoryRef; repoId: number; orgId: number },
): Promise<RepositoryRef> {
  const [known] = await openPulls.repositories({ repoId }, 1);
  if (known) return known;
  const org = await organizations.byOrgId(orgId);
  return org && org.installationId > 0 ? { ...repo, installation: org.installationId } : repo;
}
