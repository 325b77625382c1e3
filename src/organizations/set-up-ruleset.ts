import type { Ruleset } from '../contract/ruleset.ts';
import type { Origins } from '../links.ts';
import { makeRulesets, type RequiredCheck } from './make-rulesets.ts';
import type { Installations, Organizations } from './ports.ts';
import { rulesUrl } from './rules-url.ts';

/**
 * The ruleset that an operator imports first, the page on GitHub to import it on (the organization's, or the first
 * repository of a personal account), and the one for a single repository. Null if the App isn't installed there any more, or sees no repository.
 */
export async function setUpRuleset(
  deps: {
    installations: Pick<Installations, 'get' | 'repositories'>;
    organizations: Pick<Organizations, 'byInstallation'>;
    requiredCheck: RequiredCheck;
    origins: Origins;
  },
  installationId: number,
): Promise<{ ruleset: Ruleset; repository: Ruleset; importUrl: string } | null> {
  const [installation, org, repositories] = await Promise.all([
    deps.installations.get(installationId),
    deps.organizations.byInstallation(installationId),
    deps.installations.repositories(installationId),
  ]);
  if (!installation || !org) return null;
  const { githubUrl } = deps.origins;
  const { organization, repository } = makeRulesets(deps.requiredCheck, {
    ...{ org, installation, repositories, githubUrl },
  });
  if (organization) return { ruleset: organization.ruleset, repository, importUrl: organization.url };
  const [first] = repositories;
  return first ? { ruleset: repository, repository, importUrl: rulesUrl(deps.origins, first) } : null;
}
