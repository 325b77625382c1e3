import { APP } from './credentials.ts';
import type { Repository } from './github-objects.ts';
import { SEED } from './seed.ts';

/** A check that a rule requires; `integration_id` is the App that it must come from, any if undefined. */
export type RequiredCheck = { context: string; integration_id?: number };

export type BypassActor = { actor_id: number | null; actor_type: string; bypass_mode: string };
type Names = { include: string[]; exclude: string[] };
export type Conditions = {
  ref_name?: Names;
  repository_name?: Names & { protected?: boolean };
  repository_id?: { repository_ids: number[] };
};
export type Rule = { type: string; parameters?: Record<string, unknown> };

/** The values that a request sets. */
export type RulesetValues = {
  name: string;
  target: string;
  enforcement: string;
  bypass_actors: BypassActor[];
  conditions: Conditions;
  rules: Rule[];
};

/** A ruleset of a repository or of an organization, whose id is `sourceId`. Times are RFC 3339. */
export type Ruleset = RulesetValues & {
  id: number;
  source_type: 'Repository' | 'Organization';
  sourceId: number;
  created_at: string;
  updated_at: string;
};

export type RulesetSource = Pick<Ruleset, 'source_type' | 'sourceId'>;

export type Rulesets = ReturnType<typeof createRulesets>;

/** The requirement of the demo's `main`: our check, from our App. */
export const OUR_CHECK: RequiredCheck = { context: SEED.check, integration_id: APP.id };

/** The checks that the ruleset requires. */
export const checksOf = ({ rules }: Pick<Ruleset, 'rules'>): RequiredCheck[] =>
  rules.flatMap(({ type, parameters }) =>
    type === 'required_status_checks' ? ((parameters?.required_status_checks ?? []) as RequiredCheck[]) : [],
  );

/** Whether the ruleset lets only pull requests change the branch. */
export const requiresPull = ({ rules }: Pick<Ruleset, 'rules'>): boolean =>
  rules.some(({ type }) => type === 'pull_request');

/** GitHub's patterns are those of Ruby's `File.fnmatch` with `FNM_PATHNAME`. */
function isMatch(pattern: string, name: string): boolean {
  const expression = pattern
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\*\*\/?|\*|\?/g, (part) => (part.startsWith('**') ? '.*' : `[^/]${part === '*' ? '*' : ''}`));
  return new RegExp(`^${expression}$`).test(name);
}

const isIncluded = ({ include, exclude }: Names, matches: (pattern: string) => boolean) =>
  include.some(matches) && !exclude.some(matches);

function coversRepository({ source_type, sourceId, conditions }: Ruleset, repo: Repository): boolean {
  if (source_type === 'Repository') return sourceId === repo.id;
  if (sourceId !== repo.owner.id) return false;
  const { repository_name: names, repository_id: ids } = conditions;
  if (ids) return ids.repository_ids.includes(repo.id);
  return names !== undefined && isIncluded(names, (one) => one === '~ALL' || isMatch(one, repo.name));
}

function coversBranch({ target, conditions }: Ruleset, repo: Repository, branch: string): boolean {
  if (target !== 'branch') return false;
  return isIncluded(conditions.ref_name ?? { include: [], exclude: [] }, (one) => {
    if (one === '~ALL') return true;
    return one === '~DEFAULT_BRANCH' ? branch === repo.default_branch : isMatch(one, `refs/heads/${branch}`);
  });
}

/** The rules of the ruleset that OTP Guard offers. */
const rulesFor = (checks: readonly RequiredCheck[]): Rule[] => [
  {
    type: 'required_status_checks',
    parameters: {
      strict_required_status_checks_policy: false,
      do_not_enforce_on_create: false,
      required_status_checks: checks,
    },
  },
  {
    type: 'pull_request',
    parameters: {
      required_approving_review_count: 0,
      dismiss_stale_reviews_on_push: false,
      require_code_owner_review: false,
      require_last_push_approval: false,
      required_review_thread_resolution: false,
    },
  },
];

/** The rulesets, which the emulator lacks. */
export function createRulesets() {
  const rulesets = new Map<number, Ruleset>();
  let nextID = 1;
  const now = () => new Date().toISOString();
  const all = () => [...rulesets.values()];

  const create = (source: RulesetSource, values: RulesetValues) => {
    const ruleset = { ...values, ...source, id: nextID++, created_at: now(), updated_at: now() };
    rulesets.set(ruleset.id, ruleset);
    return ruleset;
  };
  const update = (id: number, values: RulesetValues) => {
    const known = rulesets.get(id);
    if (!known) return undefined;
    const changed = { ...known, ...values, updated_at: now() };
    rulesets.set(id, changed);
    return changed;
  };
  /** The rulesets of a repository and of its organization whose conditions include it, even if they aren't enforced. */
  const forRepository = (repo: Repository) => all().filter((ruleset) => coversRepository(ruleset, repo));

  return {
    /** The rulesets of one repository or organization, by id. */
    of: ({ source_type, sourceId }: RulesetSource) =>
      all().filter((one) => one.source_type === source_type && one.sourceId === sourceId),
    forRepository,
    /** The active and the evaluated rulesets that apply to the branch. */
    forBranch: (repo: Repository, branch: string) =>
      forRepository(repo).filter(
        (ruleset) => ruleset.enforcement !== 'disabled' && coversBranch(ruleset, repo, branch),
      ),
    create,
    update,
    remove: (id: number) => void rulesets.delete(id),
    /** Creates, changes or, without a check, removes the repository's own ruleset of a branch. */
    require: (repo: number, branch: string, checks: readonly RequiredCheck[]) => {
      const ref = `refs/heads/${branch}`;
      const known = all().find(
        ({ source_type, sourceId, conditions }) =>
          source_type === 'Repository' && sourceId === repo && conditions.ref_name?.include.includes(ref),
      );
      if (known && checks.length > 0) update(known.id, { ...known, rules: rulesFor(checks) });
      else if (known) rulesets.delete(known.id);
      else if (checks.length > 0)
        create(
          { source_type: 'Repository', sourceId: repo },
          {
            name: `Protect ${branch}`,
            target: 'branch',
            enforcement: 'active',
            bypass_actors: [],
            conditions: { ref_name: { include: [ref], exclude: [] } },
            rules: rulesFor(checks),
          },
        );
    },
    clear: () => rulesets.clear(),
  };
}
