import type { RepositoryEnvironment, RepositoryEnvironments } from '../contract/organization-health.ts';
import { type Comparison, changeOf } from './compare.ts';
import { STATES } from './states.ts';

/** The rule is on, and administrators can start jobs (`open`), can't (`closed`) or maybe can (`unsure`); or it isn't. */
export type GateState = 'open' | 'closed' | 'unsure' | 'none' | 'unknown';

/** Sums up the environments of a repository; empty if we didn't ask. */
export function gateOf(environments: RepositoryEnvironments | null): GateState | '' {
  if (!environments) return '';
  const { total, first } = environments;
  const gated = first.filter(({ isGated }) => isGated);
  if (gated.some(({ canAdminsBypass }) => canAdminsBypass)) return 'open';
  if (gated.length > 0) return gated.every((one) => one.canAdminsBypass === false) ? 'closed' : 'unsure';
  const isRead = total === first.length && first.every(({ isGated }) => isGated !== null);
  return isRead ? 'none' : 'unknown';
}

type Known = RepositoryEnvironments | undefined;

/**
 * Compares which environments have OTP Guard's rule, and whether administrators can go around it, with what we knew; see
 * `compareRepository`. A deleted environment has no rule: GitHub creates it again for the next job that names it.
 */
export function compareEnvironments(repo: string, before: Known, after: Known): Comparison<Known> {
  if (!after || after.total === null) return { changes: [], known: before };
  const isWhole = after.first.length >= after.total;
  const gone = before?.first.filter((was) => was.isGated && !find(after, was)) ?? [];
  const first = [
    ...after.first.map((one) => ({ ...one, isGated: one.isGated ?? find(before, one)?.isGated ?? null })),
    ...gone.map((was) => (isWhole ? { ...was, isGated: false } : was)),
  ];
  const changes = first.flatMap((one) => {
    const { name, isGated, canAdminsBypass } = one;
    const was = find(before, one);
    if (!before || isGated === null || was?.isGated === null) return [];
    const gate = { kind: 'environmentOpened', subject: name, repo, about: aboutOf(one) } as const;
    const ofRule = changeOf(gate, [ruleOf(was), ruleOf(one)]);
    if (!was || !isGated || canAdminsBypass === null || was.canAdminsBypass === null) return ofRule;
    // A rule that comes back undoes what administrators could do before, and makes nothing weaker.
    if (!was.isGated && canAdminsBypass) return ofRule;
    const subject = `administrators at the environment ${name}`;
    const bypass = { ...gate, kind: 'administratorsFree', subject, about: `${aboutOf(one)}/bypass` } as const;
    return [...ofRule, ...changeOf(bypass, [bypassOf(was), bypassOf(one)])];
  });
  return { changes, known: { ...after, first } };
}

/** GitHub takes upper and lower case of a name as the same. */
const aboutOf = ({ name }: RepositoryEnvironment) => `environment:${name.toLowerCase()}`;

const find = (among: Known, one: RepositoryEnvironment) =>
  among?.first.find((other) => aboutOf(other) === aboutOf(one));

const ruleOf = (one: RepositoryEnvironment | undefined) => STATES[one?.isGated ? 'gated' : 'notGated'];
const bypassOf = (one: RepositoryEnvironment) => STATES[one.canAdminsBypass ? 'always' : 'noBypass'];
