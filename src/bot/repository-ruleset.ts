import type { Context, Probot } from 'probot';
import { recheckOrganization, recheckRepository } from '../organizations/check-repositories.ts';
import { aboutRuleset } from '../organizations/protection/compare.ts';
import type { MomentKind } from '../organizations/protection/ports.ts';
import { RULE_KINDS } from '../organizations/protection/watch.ts';
import { notedIn, withWeakened } from './noted.ts';
import type { BotDeps } from './ports.ts';

/**
 * `repository_ruleset` events, of a repository or of the whole organization. They arrive and are handled like those of
 * `branch-protection-rule.ts`.
 */
export function onRepositoryRuleset(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on('repository_ruleset', async ({ payload, id }) => {
    const { installation, repository } = payload;
    const sent = notedIn(deps, payload, RULE_KINDS, aboutRuleset(payload.repository_ruleset.id));
    const noted = withWeakened(sent, weakenedIn(payload), id);
    if (repository) return recheckRepository(deps, repository.id, noted);
    const org = installation && (await deps.organizations.byInstallation(installation.id));
    if (org) await recheckOrganization(deps, org, noted);
  });
}

/** Whether a ruleset was deleted, no longer enforced, or left without its checks or pull requests. */
function weakenedIn(payload: Context<'repository_ruleset'>['payload']): MomentKind | undefined {
  if (payload.action === 'deleted') return 'protectionRemoved';
  if (payload.action !== 'edited') return undefined;
  const { enforcement, rules } = payload.changes ?? {};
  if (enforcement?.from === 'active') return 'ruleNotActive';
  const deleted = rules?.deleted?.map(({ type }) => type) ?? [];
  if (deleted.includes('required_status_checks')) return 'checkNotRequired';
  return deleted.includes('pull_request') ? 'pullRequestNotRequired' : undefined;
}
