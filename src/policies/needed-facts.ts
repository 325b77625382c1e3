import { isTeam, type Policy, type Rule } from '../contract/policy.ts';
import type { RuledPull } from './facts.ts';
import { createCaselessGlobs, createGlobs } from './globs.ts';
import { both, type Ternary } from './ternary.ts';

type AboutPull = Pick<RuledPull, 'repo' | 'base'>;

/** Which facts the rules ask for. Nothing else is read. */
export type NeededFacts = {
  files: boolean;
  commits: boolean;
  pushers: boolean;
  /** Of the people who approved. */
  roles: boolean;
  permission: boolean;
  collaborators: boolean;
  /** `@org/team`: those that approvals come from, and those that authors may belong to. */
  teams: string[];
  authorTeams: string[];
};

/** What the rules about this repository and base branch ask for, enforced or reported only. */
export function neededFacts({ rules }: Policy, pull: AboutPull): NeededFacts {
  const asked = rules.filter((rule) => isAbout(rule, pull) !== 'no');
  const counting = asked.filter(({ require }) => require.approvals > 0);
  const named = (...names: string[]) =>
    counting.some(({ require }) => require.from.some((source) => names.includes(source)));
  const excluding = (who: 'committers' | 'pusher') =>
    counting.some(({ require }) => require.notBy.includes(who));
  const isWithout = asked.some(({ require }) => require.approvals === 0);
  return {
    files: asked.some(({ when }) => when.paths !== undefined),
    commits: isWithout || excluding('committers') || asked.some(({ when }) => when.authors !== 'anyone'),
    pushers: isWithout || excluding('pusher'),
    roles: counting.length > 0,
    permission: named('collaborators') || counting.some(({ require }) => require.permission !== undefined),
    collaborators: named('collaborators'),
    teams: [...new Set(counting.flatMap(({ require }) => require.from.filter(isTeam)))],
    authorTeams: [...new Set(asked.flatMap(authorsOf).filter(isTeam))],
  };
}

/** Whether the rule is about the repository and the base branch, which are always known. */
export function isAbout({ when }: Rule, { repo, base }: AboutPull): Ternary {
  const isRepository = when.repositories ? createCaselessGlobs(when.repositories)(repo.name) : 'yes';
  return isRepository === 'no' || !when.branches
    ? isRepository
    : both(isRepository, createGlobs(when.branches)(base));
}

const authorsOf = ({ when }: Rule) => (Array.isArray(when.authors) ? when.authors : []);
