import type { CheckRequirement } from '../../../../../src/contract/organization.ts';

const MOST_NAMED = 5;

/** A permission of the App in words: `checks: write` is "write checks". */
export function permissionWords(permission: string): string {
  const [, name, level] = /^([a-z_]+): ([a-z]+)$/.exec(permission) ?? [];
  return name && level ? `${level} ${name.replaceAll('_', ' ')}` : permission;
}

/** What the App may not do. */
export const missingSentence = (missing: string[]) =>
  `The App may not ${listed(missing.map(permissionWords), 'disjunction')}.`;

/** The page on GitHub with the Apps of an account, made of the one with an installation there. */
export const appsAddress = (settingsUrl: string) =>
  settingsUrl.replace(/\/installations\/[0-9]+\/?$/, '/apps');

/** How many webhooks were lost on their way. */
export const missedSentence = (missed: number) =>
  missed === 1 ? '1 webhook did not reach OTP Guard.' : `${missed} webhooks did not reach OTP Guard.`;

/** How many checks the sweeper put right. */
export function repairedWords(repaired: number): string {
  if (repaired === 0) return 'nothing';
  return repaired === 1 ? '1 check' : `${repaired} checks`;
}

/** Which repositories the sweeper could not see to; they come with their owner, and `octo-org/*` means all. */
export function faultsSentence(faults: string[]): string {
  const names = faults.map((fault) => fault.slice(fault.indexOf('/') + 1));
  if (names.includes('*')) return 'It could not see to the repositories of this organization.';
  const more = names.length - MOST_NAMED;
  const named = more > 0 ? [...names.slice(0, MOST_NAMED), `${more} more`] : names;
  return `It could not see to ${listed(named, 'conjunction')}.`;
}

type Requirement = {
  /** How it stands. */
  text: string;
  /** Why that matters and what to do; empty where there is nothing to do. */
  advice: string;
  /** The link to where it is done. */
  action: string;
};

/** What a default branch asks for, in words. */
export const REQUIREMENTS: Record<CheckRequirement, Requirement> = {
  thisApp: { text: 'Required from OTP Guard', advice: '', action: '' },
  anySource: {
    text: 'Required from any source',
    advice: 'Anyone who may write checks can post it. Choose the OTP Guard App as its source.',
    action: 'Set its source',
  },
  no: {
    text: 'Not required',
    advice: 'A merge does not wait for it.',
    action: 'Require it',
  },
  unknown: {
    text: 'Not known',
    advice:
      'The App may not read branch protection. Look yourself, require the check in a ruleset, or grant the App “Administration: read”.',
    action: 'See its rules',
  },
};

const listed = (words: string[], type: Intl.ListFormatType) =>
  new Intl.ListFormat('en', { type }).format(words);
