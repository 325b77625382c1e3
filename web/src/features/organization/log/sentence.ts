import type { ActivityData, ActivityKind } from '../../../../../src/contract/activity.ts';
import type { AuthenticatorType } from '../../../../../src/contract/authenticators.ts';
import type { Entry } from './entry.ts';

/** A piece of a sentence: plain words, a name that a person gave, or a commit. */
export type Part = string | { name: string } | { commit: string };

/** What somebody did, to be read after their name. */
export function sentence({ kind, data }: Pick<Entry, 'kind' | 'data'>): Part[] {
  if (isKnown(kind)) return SENTENCES[kind](data);
  return ['did something that this page has no words for: ', { name: kind || 'unknown' }];
}

/** A newer server may log what this page does not know. */
export const isKnown = (kind: string): kind is ActivityKind => Object.hasOwn(SENTENCES, kind);

const SENTENCES: Record<ActivityKind, (data: ActivityData) => Part[]> = {
  webauthnCollect: (data) => ['approved ', ...pull(data), ' with ', ...key(data, '', article(data))],
  totpCollect: (data) => ['approved ', ...pull(data), ' with a one-time code'],
  webauthnRegister: (data) => ['registered ', ...key(data, 'the ', article(data))],
  totpRegister: () => ['registered a one-time code app'],
  authenticatorDelete: (data) => ['deleted ', ...key(data, 'the ', article(data))],
  memberAuthenticatorDelete: (data) => ['removed ', ...whose(data), ...key(data, '', '')],
  setOrgImage: () => ["set the organization's security image"],
  unapprovedMerge: (data) => ['merged ', ...pull(data), ' without an approval'],
};

function pull({ repo, pr, sha }: ActivityData): Part[] {
  const what = repo && pr ? `${repo} #${pr}` : 'a pull request';
  return sha ? [`${what} at `, { commit: sha }] : [what];
}

const NOUNS: Record<AuthenticatorType, string> = {
  passkey: 'passkey',
  'security-key': 'security key',
  totp: 'one-time code app',
};
const article = ({ type }: ActivityData) => (type ? 'a ' : 'an ');

/** With its label where it has one: a code has none that says anything. */
function key({ type, label }: ActivityData, withLabel: string, without: string): Part[] {
  const noun = (type && NOUNS[type]) ?? 'authenticator';
  return label && type !== 'totp' ? [`${withLabel}${noun} “`, { name: label }, '”'] : [`${without}${noun}`];
}

const whose = ({ user }: ActivityData): Part[] => (user ? [{ name: user }, "'s "] : ["a member's "]);

/** The sentence as one text, for those who hear it. */
export const plain = (parts: Part[]): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'name' in part ? part.name : part.commit.slice(0, 8);
    })
    .join('');

/** The kinds by names that a person chooses from. */
export const KIND_NAMES: Record<ActivityKind, string> = {
  webauthnCollect: 'Approved with a passkey or security key',
  totpCollect: 'Approved with a one-time code',
  webauthnRegister: 'Registered a passkey or security key',
  totpRegister: 'Registered a one-time code app',
  authenticatorDelete: 'Deleted an authenticator',
  memberAuthenticatorDelete: "Removed a member's authenticator",
  setOrgImage: 'Set the security image',
  unapprovedMerge: 'Merged without an approval',
};
