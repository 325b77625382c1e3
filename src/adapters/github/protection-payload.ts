import type { BypassActor } from '../../contract/protection.ts';
import { ADMINISTRATORS } from '../../protection/ruleset-actor.ts';
import { CHECK_NAME } from './check-runs.ts';

/** The source from which a rule requires our check; null if it doesn't require it, or only from another App. */
export type Required = 'thisApp' | 'anySource' | null;

export type StatusCheck = { context: string; integration_id?: number | null; app_id?: number | null };

/** Names and titles have no length that GitHub documents, and they're stored: a longer one is cut. */
const MOST_LETTERS = 200;
export const cut = (name: string): string => name.slice(0, MOST_LETTERS);

/** A rule names the App as `integration_id`, branch protection as `app_id`; without it, or with -1, any source will do. */
export function requiredBy(checks: StatusCheck[], appId: number): Required {
  const sources = checks
    .filter(({ context }) => context === CHECK_NAME)
    .map(({ integration_id, app_id }) => integration_id ?? app_id ?? null);
  if (sources.includes(appId)) return 'thisApp';
  return sources.some((source) => source === null || source < 0) ? 'anySource' : null;
}

/** A rule of a ruleset; one of a branch also says of which. */
export type GitHubRule = {
  type: string;
  parameters?: object | null | undefined;
  ruleset_id?: number;
  ruleset_source_type?: string;
  ruleset_source?: string;
};

/** The status checks that some rules of a ruleset require. */
export const statusChecksOf = (rules: GitHubRule[]): StatusCheck[] =>
  rules
    .filter(({ type }) => type === 'required_status_checks')
    .flatMap(
      ({ parameters }) =>
        (parameters as { required_status_checks?: StatusCheck[] } | undefined)?.required_status_checks ?? [],
    );

/** `contexts` is the older form, which says nothing about sources; one of the two may be left out. */
export type RequiredStatusChecks = { checks?: StatusCheck[]; contexts?: string[] } | null | undefined;

export const statusChecksIn = (required: RequiredStatusChecks): StatusCheck[] =>
  required?.checks ?? (required?.contexts ?? []).map((context) => ({ context }));

/** Branch protection binds administrators only if an owner said so. */
export const bypassOfProtection = ({ enabled }: { enabled: boolean }): BypassActor[] =>
  enabled ? [] : [ADMINISTRATORS];

type Reviews = {
  bypass_pull_request_allowances?: { users?: unknown[]; teams?: unknown[]; apps?: unknown[] };
};

/** Branch protection that lets anyone push without a pull request doesn't count: the list isn't the check's. */
export const bindsToPulls = (reviews: Reviews | undefined): boolean =>
  reviews !== undefined && Object.values(reviews.bypass_pull_request_allowances ?? {}).flat().length === 0;

/** The page on GitHub on which an administrator changes the ruleset. */
export function rulesetUrl(
  serverUrl: string,
  { id, repository, source, type }: { id: number; repository: string; source: string; type: string },
): string {
  if (type === 'Organization') return `${serverUrl}/organizations/${source}/settings/rules/${id}`;
  if (type === 'Enterprise') return `${serverUrl}/enterprises/${source}/settings/rules/${id}`;
  return `${serverUrl}/${repository}/settings/rules/${id}`;
}
