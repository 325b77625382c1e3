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

/** Says what a lost webhook means if there are many repositories. */
export const watchText = (seconds: number) =>
  `Many repositories have green checks, so OTP Guard looks at each only every ${Math.round(seconds)} seconds. If a webhook is lost, a green check can be wrong for that long.`;

/** How many check runs the last full check repaired. */
export function repairedText(repaired: number): string {
  if (repaired === 0) return 'nothing to fix';
  return repaired === 1 ? 'fixed 1 check' : `fixed ${repaired} checks`;
}

/**
 * The repositories that the last full check failed for, and what it repaired in the others. They come as `owner/name`;
 * `octo-org/*` stands for all.
 */
export function faultsText(faults: string[], repaired: number): string {
  const names = faults.map((fault) => fault.slice(fault.indexOf('/') + 1));
  if (names.includes('*')) return "it failed for all of this organization's repositories.";
  const more = names.length - MOST_NAMED;
  const named = more > 0 ? [...names.slice(0, MOST_NAMED), `${more} more`] : names;
  const others = repaired > 0 ? ` It ${repairedText(repaired)} in others.` : '';
  return `it failed for ${list(named, 'conjunction')}.${others}`;
}

const list = (words: string[], type: Intl.ListFormatType) =>
  new Intl.ListFormat('en', { type }).format(words);
