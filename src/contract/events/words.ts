import type { ActivityData, ActivityKind } from '../activity.ts';
import { type AuthenticatorKind, authenticatorKinds } from '../authenticator-kinds.ts';
import type { MailPart, NoticeData, NoticeKind } from '../notices.ts';
import { inParts, type Part } from '../parts.ts';

type LogWord = {
  /** The name in the filter of the log. */
  name: string;
  /** Set if an owner should look into it. */
  isWarning?: true;
  /** Says what a person did, to be read after their name. */
  text(data: ActivityData): Part[];
};

/** What the log says of each kind of entry. */
export type LogWords = Partial<Record<ActivityKind, LogWord>>;

/** What the log says of a decision about a pull request or a deployment, by a key and by a code. */
export function decisionWords<Kind extends 'Collect' | 'Deny' | 'Deploy' | 'Reject'>(
  kind: Kind,
  { name, verb }: { name: string; verb: string },
) {
  const text = (means: (data: ActivityData) => string | Part[]) => (data: ActivityData) =>
    inParts`${verb} ${pull(data)} with ${means(data)}${because(data)}`;
  const { method } = authenticatorKinds.totp;
  const words: Record<string, LogWord> = {
    [`webauthn${kind}`]: {
      name: `${name} with a passkey or security key`,
      text: text((data) => labelled(data) ?? withArticle(data)),
    },
    [`totp${kind}`]: { name: `${name} with ${method}`, text: text(() => method) },
  };
  return words as Record<`webauthn${Kind}` | `totp${Kind}`, LogWord>;
}

export type Mail = {
  /** The only names in it are logins and repositories, which GitHub restricts to letters, digits and `._-`, and plain titles. */
  subject: string;
  /** Without a heading, the subject is the heading. */
  parts: MailPart[];
  /** Set if the signed checkpoint follows: with it, owners can tell later if the log was changed. */
  withCheckpoint?: true;
};

export type Mails = Partial<Record<NoticeKind, (data: NoticeData) => Mail>>;

/** "2026-05-04 12:00 UTC" */
export const minuteOf = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

/** The reason of a denial or a rejection, as the person wrote it. */
export const because = ({ reason }: ActivityData): Part[] => (reason ? inParts`: “${{ name: reason }}”` : []);

/** "the deployment of hello at 6dcb09b5 to release (run 7)" */
export function deployment({ repo, sha, environment, run }: ActivityData): Part[] {
  const at = sha ? inParts` at ${{ commit: sha }}` : [];
  const to = environment ? inParts` to ${{ name: environment }}` : [];
  return inParts`the deployment of ${repo ?? 'a repository'}${at}${to}${run ? ` (run ${run})` : ''}`;
}

export function pull(data: ActivityData): Part[] {
  const { repo, pr, sha } = data;
  if (data.environment !== undefined) return deployment(data);
  const name = repo && pr ? `${repo} #${pr}` : 'a pull request';
  return sha ? inParts`${name} at ${{ commit: sha }}` : [name];
}

/** "octo-org/hello#7" */
export const mailedPull = ({ org, label }: NoticeData): string =>
  label ? `${org}/${label}` : `A pull request in ${org}`;

/** Since when an authenticator was lost or stolen. */
export const lost = ({ lostSince }: ActivityData, before = ', '): Part[] =>
  lostSince ? inParts`${before}lost or stolen since ${{ time: lostSince }}` : [];

export const holder = ({ user }: ActivityData): Part[] =>
  user ? inParts`${{ name: user }}'s ` : ["a member's "];

export const theAuthenticator = (data: ActivityData): Part[] => {
  const named = labelled(data);
  return named ? inParts`the ${named}` : [withArticle(data)];
};

/** The authenticator with its label; null if it has none that its holder chose. */
export function labelled(data: ActivityData): Part[] | null {
  if (!data.label || kindOf(data)?.hasOwnLabel === false) return null;
  return inParts`${noun(data)} “${{ name: data.label }}”`;
}

export const withArticle = (data: ActivityData) =>
  `${/^[aeiou]/.test(noun(data)) ? 'an' : 'a'} ${noun(data)}`;

export const noun = (data: ActivityData): string => kindOf(data)?.noun ?? 'authenticator';

export const kindOf = ({ type }: ActivityData): AuthenticatorKind | undefined =>
  type && authenticatorKinds[type];

export const NOT_YOU =
  'If this wasn’t you, someone may be using your GitHub account: end its other sessions in GitHub’s settings, and contact an owner of the organization.';

export const LONGEST = 120;
export const LONGEST_CHANGE = 400;
export const BREAK = '\u200b';

/**
 * A title that a stranger chose, fit for an e-mail: one line without control
 * characters and without marks that turn the direction of text. What mail
 * programs would link gets an invisible break, and so does our own address.
 */
export function plainTitle(title: string, longest = LONGEST): string {
  const line = title
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    // Other invisible signs than those two are in no language's words.
    .replace(/(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu, '')
    .trim();
  const letters = Array.from(line);
  const cut = letters.length > longest ? `${letters.slice(0, longest).join('')}…` : line;
  return cut.replace(/[:@.\u3002\uff0e\uff61](?=\S)/gu, (sign) => sign + BREAK);
}
