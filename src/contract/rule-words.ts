import { type AuthenticatorType, authenticatorKinds } from './authenticator-kinds.ts';
import type { Policy } from './policy.ts';

type Requirement = Policy['rules'][number]['require'];

/** Longer lists end with how many more there are. */
const MOST_NAMED = 8;

/** `a, b or c`. */
export function listWords(names: readonly string[], word: 'or' | 'and' = 'or'): string {
  const shown = names.slice(0, MOST_NAMED);
  const left = names.length - shown.length;
  const all = left > 0 ? [...shown, `${left} more`] : shown;
  return all.length < 2 ? all.join() : `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}`;
}

const sources: Record<string, [one: string, several: string]> = {
  members: ['a member', 'members'],
  owners: ['an owner', 'owners'],
  collaborators: ['an outside collaborator', 'outside collaborators'],
};

/** Who can give the approvals: `an owner or @acme/security`. */
export const sourceWords = (from: readonly string[], count: number): string =>
  listWords(from.map((source) => sources[source]?.[count === 1 ? 0 : 1] ?? source)) || 'nobody';

/** `1 approval`, `2 more approvals`. */
export const approvalsWords = (count: number, more = ''): string =>
  `${count} ${more}${count === 1 ? 'approval' : 'approvals'}`;

/** `a passkey or a security key`. */
export const methodWords = (methods: readonly AuthenticatorType[]): string =>
  listWords(methods.map((method) => authenticatorKinds[method].method));

/** Those whose approvals a rule doesn't count. */
export const notByWords = {
  author: 'its author',
  committers: 'the authors and committers of its commits',
  pusher: 'the person who pushed its head',
} as const satisfies Record<Requirement['notBy'][number], string>;

/** How the approvals have to be, after who gives them; empty if everything goes. */
export function conditionWords({ permission, notBy, methods, userVerification }: Requirement): string {
  const parts = [
    permission && `with at least ${permission} permission`,
    methods && `with ${methodWords(methods)}`,
    userVerification === 'required' && 'with user verification',
    notBy.length > 0 &&
      `not counting ${listWords(
        notBy.map((who) => notByWords[who]),
        'and',
      )}`,
  ].filter((part) => typeof part === 'string');
  return parts.map((part) => `, ${part}`).join('');
}
