import type { Context, Probot } from 'probot';
import { recheckOrganization, recheckRepository } from '../protection/check-repositories.ts';
import { ABOUT_BRANCH_PROTECTION, aboutKey, aboutRuleset } from '../protection/compare.ts';
import { kindsOf } from '../protection/kinds.ts';
import type { MomentKind } from '../protection/ports.ts';
import type { BotDeps } from './deps.ts';
import { notedIn, withWeakened } from './noted.ts';

/**
 * The events about what protects a repository: branch protection, rulesets, deploy keys, and collaborators, among whom are
 * its administrators. Most arrive only if the operator granted `administration: read` and subscribed the App to them.
 * They may be old, so the handlers ask GitHub what is so now.
 */
export function onProtection(probot: Pick<Probot, 'on'>, deps: BotDeps): void {
  probot.on(['branch_protection_rule', 'branch_protection_configuration'], ({ payload, id }) => {
    const { repository } = payload;
    const pattern = 'rule' in payload ? payload.rule.name : repository.default_branch;
    // Only a rule of the default branch is watched, and a pattern may cover it.
    const isWatched = pattern === repository.default_branch || /[*?[]/.test(pattern);
    const noted = isWatched ? notedIn(deps, payload, kindsOf('rules'), ABOUT_BRANCH_PROTECTION) : null;
    const weakened = pattern === repository.default_branch ? weakenedBranch(payload) : undefined;
    return recheckRepository(deps, repository.id, withWeakened(noted, weakened, id));
  });

  probot.on('repository_ruleset', async ({ payload, id }) => {
    const { installation, repository } = payload;
    const sent = notedIn(deps, payload, kindsOf('rules'), aboutRuleset(payload.repository_ruleset.id));
    const noted = withWeakened(sent, weakenedRuleset(payload), id);
    if (repository) return recheckRepository(deps, repository.id, noted);
    const org = installation && (await deps.organizations.byInstallation(installation.id));
    if (org) await recheckOrganization(deps, org, noted);
  });

  probot.on('deploy_key', ({ payload }) =>
    recheckRepository(
      deps,
      payload.repository.id,
      notedIn(deps, payload, ['deployKeyAdded'], aboutKey(payload.key.id)),
    ),
  );

  probot.on('member', ({ payload }) => recheckRepository(deps, payload.repository.id, null));
}

type BranchPayload = Context<'branch_protection_rule' | 'branch_protection_configuration'>['payload'];

/**
 * The weakening, if branch protection was removed, or no longer requires checks or pull requests or binds
 * administrators.
 */
function weakenedBranch(payload: BranchPayload): MomentKind | undefined {
  if (payload.action === 'deleted' || payload.action === 'disabled') return 'protectionRemoved';
  if (payload.action !== 'edited') return undefined;
  const { rule, changes = {} } = payload;
  const wasOn = (level: { from: string } | undefined) => level !== undefined && level.from !== 'off';
  const { admin_enforced, pull_request_reviews_enforcement_level: pulls } = changes;
  const { required_status_checks_enforcement_level: checks } = changes;
  if (wasOn(checks) && rule.required_status_checks_enforcement_level === 'off') return 'checkNotRequired';
  if (wasOn(pulls) && rule.pull_request_reviews_enforcement_level === 'off') return 'pullRequestNotRequired';
  return admin_enforced?.from === true ? 'administratorsFree' : undefined;
}

/** The weakening, if a ruleset was deleted, no longer enforced, or left without its checks or pull requests. */
function weakenedRuleset(payload: Context<'repository_ruleset'>['payload']): MomentKind | undefined {
  if (payload.action === 'deleted') return 'protectionRemoved';
  if (payload.action !== 'edited') return undefined;
  const { enforcement, rules } = payload.changes ?? {};
  if (enforcement?.from === 'active') return 'ruleNotActive';
  const deleted = rules?.deleted?.map(({ type }) => type) ?? [];
  if (deleted.includes('required_status_checks')) return 'checkNotRequired';
  return deleted.includes('pull_request') ? 'pullRequestNotRequired' : undefined;
}
