import type { BypassActor, Conditions, Rule, RulesetSource, RulesetValues } from './rulesets.ts';

const TARGETS = ['branch', 'tag', 'push', 'repository'];
const ENFORCEMENTS = ['disabled', 'active', 'evaluate'];
const MODES = ['always', 'pull_request', 'exempt'];
const ACTORS = ['Integration', 'OrganizationAdmin', 'RepositoryRole', 'Team', 'User', 'DeployKey'];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const namesIn = (value: unknown) => {
  const list = (one: unknown) => (Array.isArray(one) ? one.map(String) : []);
  return isObject(value) ? { include: list(value.include), exclude: list(value.exclude) } : undefined;
};

function parseActor(value: unknown): BypassActor | undefined {
  if (!isObject(value)) return undefined;
  const { actor_id = null, actor_type, bypass_mode = 'always' } = value as Partial<BypassActor>;
  if (!ACTORS.includes(actor_type ?? '') || !MODES.includes(bypass_mode)) return undefined;
  const type = String(actor_type);
  if (type === 'DeployKey')
    return bypass_mode === 'pull_request' ? undefined : { actor_id: null, actor_type: type, bypass_mode };
  if (type === 'OrganizationAdmin') return { actor_id: 1, actor_type: type, bypass_mode };
  return Number.isInteger(actor_id) ? { actor_id, actor_type: type, bypass_mode } : undefined;
}

function parseConditions(value: unknown, source: RulesetSource): Conditions | undefined {
  if (!isObject(value)) return undefined;
  const ref_name = namesIn(value.ref_name);
  const repository_name = namesIn(value.repository_name);
  const ids = isObject(value.repository_id) ? value.repository_id.repository_ids : undefined;
  const isOfOrganization = source.source_type === 'Organization';
  if (isOfOrganization && !repository_name && !Array.isArray(ids)) return undefined;
  return {
    ...(ref_name && { ref_name }),
    ...(isOfOrganization && repository_name && { repository_name }),
    ...(isOfOrganization && Array.isArray(ids) && { repository_id: { repository_ids: ids.map(Number) } }),
  };
}

/** GitHub needs each of these in a `pull_request` rule. The local GitHub has no reviews to count. */
const REVIEWS = [
  'dismiss_stale_reviews_on_push',
  'require_code_owner_review',
  'require_last_push_approval',
  'required_review_thread_resolution',
];

function parseRule(value: unknown): Rule | undefined {
  if (!isObject(value) || typeof value.type !== 'string') return undefined;
  const { type, parameters } = value as Rule;
  if (type === 'pull_request') {
    const isWhole =
      REVIEWS.every((name) => parameters?.[name] === false) &&
      parameters?.required_approving_review_count === 0;
    return isWhole ? { type, parameters } : undefined;
  }
  if (type !== 'required_status_checks') return { type, ...(parameters && { parameters }) };
  const checks = parameters?.required_status_checks;
  const isValid =
    Array.isArray(checks) && checks.every((check) => isObject(check) && typeof check.context === 'string');
  if (!isValid || typeof parameters?.strict_required_status_checks_policy !== 'boolean') return undefined;
  return { type, parameters: { do_not_enforce_on_create: false, ...parameters } };
}

const allOf = <T>(values: unknown, parse: (value: unknown) => T | undefined): T[] | undefined => {
  const parsed = Array.isArray(values) ? values.map(parse) : [undefined];
  return parsed.some((one) => one === undefined) ? undefined : (parsed as T[]);
};

/**
 * The ruleset that a request asks for, or the name of the member that GitHub refuses. A change keeps what it doesn't
 * name (GitHub: "Update a repository ruleset").
 */
export function parseRuleset(
  body: Record<string, unknown>,
  source: RulesetSource,
  before?: RulesetValues,
): RulesetValues | string {
  const { name = before?.name, enforcement = before?.enforcement } = body;
  const target = String(body.target ?? before?.target ?? 'branch');
  const bypass_actors = allOf(body.bypass_actors ?? before?.bypass_actors ?? [], parseActor);
  const asked = body.conditions ?? before?.conditions;
  const conditions = parseConditions(asked ?? (source.source_type === 'Repository' ? {} : undefined), source);
  const rules = allOf(body.rules ?? before?.rules ?? [], parseRule);
  if (typeof name !== 'string' || name === '') return 'name';
  if (!TARGETS.includes(target)) return 'target';
  if (typeof enforcement !== 'string' || !ENFORCEMENTS.includes(enforcement)) return 'enforcement';
  if (!bypass_actors) return 'bypass_actors';
  if (!conditions) return 'conditions';
  if (!rules) return 'rules';
  return { name, target, enforcement, bypass_actors, conditions, rules };
}
