import type { CheckRequirement } from '../../../../../src/contract/organization-health.ts';

const MOST_NAMED = 5;

/** The permissions the App lacks. GitHub's `checks: write` becomes "write checks". */
export const missingPermissionsText = (missing: string[]) =>
  `The App isn't allowed to ${list(missing.map(permissionText), 'disjunction')}.`;

function permissionText(permission: string): string {
  const [, name, level] = /^([a-z_]+): ([a-z]+)$/.exec(permission) ?? [];
  return name && level ? `${level} ${name.replaceAll('_', ' ')}` : permission;
}

/** GitHub's page with the Apps of an account, from the settings page of one of its installations. */
export const appsUrl = (settingsUrl: string) => settingsUrl.replace(/\/installations\/[0-9]+\/?$/, '/apps');

export const missedWebhooksText = (missed: number) =>
  missed === 1 ? "1 webhook didn't reach OTP Guard." : `${missed} webhooks didn't reach OTP Guard.`;

/** Longer with many repositories, because GitHub limits requests. */
export const USUAL_WATCH_SECONDS = 30;

/** What a lost webhook means if there are many repositories. */
export const watchText = (seconds: number) =>
  `Many repositories have green checks, so OTP Guard looks at each only every ${Math.round(seconds)} seconds. If a webhook is lost, a green check can be wrong for that long.`;

/** How many check runs the last full check repaired. */
export function repairedText(repaired: number): string {
  if (repaired === 0) return 'nothing to fix';
  return repaired === 1 ? 'fixed 1 check' : `fixed ${repaired} checks`;
}

/** The repositories that the last full check failed for. They come as `owner/name`; `octo-org/*` stands for all. */
export function faultsText(faults: string[]): string {
  const names = faults.map((fault) => fault.slice(fault.indexOf('/') + 1));
  if (names.includes('*')) return "It failed for all of this organization's repositories.";
  const more = names.length - MOST_NAMED;
  const named = more > 0 ? [...names.slice(0, MOST_NAMED), `${more} more`] : names;
  return `It failed for ${list(named, 'conjunction')}.`;
}

type RequirementTexts = {
  /** Reads on with "on {branch}". */
  text: string;
  /** Why it matters and what to do; empty if there is nothing to do. */
  advice: string;
  /** The text of the link to the branch's rules. */
  action: string;
};

/** Whether a default branch requires the check. */
export const REQUIREMENT_TEXTS: Record<CheckRequirement, RequirementTexts> = {
  thisApp: { text: 'Required from OTP Guard', advice: '', action: '' },
  anySource: {
    text: 'Required from any source',
    advice: 'Anyone who can write checks can report it. Choose the OTP Guard App as its source.',
    action: 'Set its source',
  },
  no: {
    text: 'Not required',
    advice: "Merges don't wait for it. The ruleset file above requires it.",
    action: 'Require it',
  },
  unknown: {
    text: "Can't be checked",
    advice:
      "The App isn't allowed to read branch protection. Look at the rules yourself, require the check in a ruleset, or grant the App “Administration: read”.",
    action: 'View rules',
  },
};

const list = (words: string[], type: Intl.ListFormatType) =>
  new Intl.ListFormat('en', { type }).format(words);
