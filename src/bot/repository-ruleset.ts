import type { Probot } from 'probot';
import { recheckOrganization, recheckRepository } from '../organizations/check-repositories.ts';
import { aboutRuleset } from '../organizations/protection/compare.ts';
import { RULE_KINDS } from '../organizations/protection/watch.ts';
import { notedIn } from './noted.ts';
import type { BotDeps } from './ports.ts';

/**
 * `repository_ruleset` events, of a repository or of the whole organization. They arrive and are handled like those of
 * `branch-protection-rule.ts`.
 */
export function onRepositoryRuleset(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('repository_ruleset', async ({ payload }) => {
    const { installation, repository } = payload;
    const noted = notedIn(deps, payload, RULE_KINDS, aboutRuleset(payload.repository_ruleset.id));
    if (repository) return recheckRepository(deps, repository.id, noted);
    const org = installation && (await deps.organizations.byInstallation(installation.id));
    if (org) await recheckOrganization(deps, org, noted);
  });
}
