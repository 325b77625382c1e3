import { type AuthenticatorType, authenticatorKinds } from './authenticator-kinds.ts';
import type { Policy, Rule } from './policy.ts';
import { isAboutDeployments } from './rule-subjects.ts';

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

/** Names the people who can give the approvals: `an owner or @acme/security`. */
export const sourceWords = (from: readonly string[], count: number): string =>
  listWords(from.map((source) => sources[source]?.[count === 1 ? 0 : 1] ?? source)) || 'nobody';

/** `1 approval`, `2 more approvals`. */
export const approvalsWords = (count: number, more = ''): string =>
  `${count} ${more}${count === 1 ? 'approval' : 'approvals'}`;

/** `a passkey or a security key`. */
export const methodWords = (methods: readonly AuthenticatorType[]): string =>
  listWords(methods.map((method) => authenticatorKinds[method].method));

/** The people whose approvals a rule doesn't count. */
const notByWords = {
  author: 'its author',
  committers: 'the authors and committers of its commits',
  pusher: 'the person who pushed its head',
  initiator: 'the person who asked for it',
} as const satisfies Record<Requirement['notBy'][number], string>;

/** A rule about deployments leaves each of them out together with the person who started the run. */
const NOT_BY_RUN = 'who started the run or brought the commit in';

const excludedWords = (notBy: Requirement['notBy']) =>
  listWords(
    notBy.map((who) => notByWords[who]),
    'and',
  );

/** The conditions on approvals, to read after who gives them; empty if there are none. */
export function conditionWords(
  { permission, notBy, methods, userVerification }: Requirement,
  isDeployment: boolean,
): string {
  const parts = [
    permission && `with at least ${permission} permission`,
    methods && `with ${methodWords(methods)}`,
    userVerification === 'required' && 'with user verification',
    notBy.length > 0 && `not counting ${isDeployment ? NOT_BY_RUN : excludedWords(notBy)}`,
  ].filter((part) => typeof part === 'string');
  return parts.map((part) => `, ${part}`).join('');
}

/**
 * Explains a rule to the people who write it: "Pull requests into `main` of `web` that touch
 * `.github/` need 2 approvals from @acme/security." Patterns are between backquotes. The page and the log add whether it's
 * enforced.
 */
export function explainRule(rule: Rule): string {
  if (!isAboutDeployments(rule)) return `Pull requests${subject(rule)} ${demand(rule)}.`;
  const { merge } = rule.require.satisfiedBy ?? {};
  const unless = merge
    ? `, unless an approved merge brought the commit into that branch in the last ${hoursWords(merge.hours)}`
    : '';
  return `Deployments${deploymentSubject(rule)} ${demand(rule)}${unless}.`;
}

const hoursWords = (hours: number) => (hours === 1 ? 'hour' : `${hours} hours`);

const deploymentSubject = ({ when }: Rule): string =>
  [
    when.refs && ` of ${patterns(when.refs)}`,
    when.repositories && `${when.refs ? ' in' : ' of'} ${patterns(when.repositories)}`,
    when.environments && ` to ${patterns(when.environments)}`,
  ]
    .filter(Boolean)
    .join('');

function subject({ when, require }: Rule): string {
  const isWithout = require.approvals === 0;
  return [
    when.branches && ` into ${patterns(when.branches)}`,
    when.repositories && ` of ${patterns(when.repositories)}`,
    authorWords(when.authors, isWithout),
    when.agents && ' in which an agent had a hand',
    when.paths && ` that touch ${isWithout ? 'nothing but ' : ''}${patterns(when.paths)}`,
  ]
    .filter(Boolean)
    .join('');
}

const patterns = (globs: string[]) => listWords(globs.map((glob) => `\`${glob}\``));

function authorWords(authors: Rule['when']['authors'], isWithout: boolean): string {
  if (authors === 'anyone') return '';
  const only = isWithout ? ' alone' : '';
  if (authors === 'machines') return ` by GitHub Apps or bots${only}`;
  if (authors === 'people') return ` by people${only}`;
  return ` by ${listWords(authors)}${only}`;
}

function demand(rule: Rule): string {
  const { require } = rule;
  const { approvals, from } = require;
  if (approvals === 0 && isAboutDeployments(rule)) return 'need no approval';
  if (approvals > 0)
    return `need ${approvalsWords(approvals)} from ${sourceWords(from, approvals)}${conditionWords(require, isAboutDeployments(rule))}`;
  return (
    'need no approval, if it is known who opened and pushed them and who wrote each commit, ' +
    'and GitHub verified the signature of each commit'
  );
}
