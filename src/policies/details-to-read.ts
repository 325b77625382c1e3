import { isTeam } from '../contract/accounts.ts';
import type { Policy, Rule } from '../contract/policy.ts';
import { isAboutDeployments } from '../contract/rule-subjects.ts';
import { giveWay } from '../shared/work.ts';
import type { NotBy } from './counts.ts';
import type { ChangedFiles, FileMatches, RuledPull } from './details.ts';
import {
  both,
  type Certainty,
  createCaselessGlobs,
  createGlobs,
  either,
  isTrue,
  MOST_STEPS_OF_A_PATH,
  type Work,
} from './globs.ts';

type AboutPull = Pick<RuledPull, 'repo' | 'base' | 'deployment'>;

/** The details that the rules ask for. The server reads no others. */
export type DetailsToRead = {
  files: boolean;
  commits: boolean;
  pushers: boolean;
  initiators: boolean;
  /** What agents did, which takes the commits and the approving reviews. */
  agents: boolean;
  /** The roles of the people who approved. */
  roles: boolean;
  permission: boolean;
  collaborators: boolean;
  /** `@org/team`: the teams that approvals come from, and the teams that authors may belong to. */
  teams: string[];
  authorTeams: string[];
};

/** The details that the rules about this repository and base branch ask for, enforced or reported only. */
export function detailsToRead({ rules }: Policy, pull: AboutPull): DetailsToRead {
  const asked = rules.filter((rule) => isAbout(rule, pull) !== 'no');
  const counting = asked.filter(({ require }) => require.approvals > 0);
  const named = (...names: string[]) =>
    counting.some(({ require }) => require.from.some((source) => names.includes(source)));
  const excluding = (who: NotBy) => counting.some(({ require }) => require.notBy.includes(who));
  const isWithout = asked.some(({ require }) => require.approvals === 0);
  return {
    files: asked.some(({ when }) => when.paths !== undefined),
    commits: isWithout || excluding('committers') || asked.some(({ when }) => when.authors !== 'anyone'),
    pushers: isWithout || excluding('pusher'),
    initiators: excluding('initiator'),
    agents: asked.some(({ when }) => when.agents),
    roles: counting.length > 0,
    permission: named('collaborators') || counting.some(({ require }) => require.permission !== undefined),
    collaborators: named('collaborators'),
    teams: [...new Set(counting.flatMap(({ require }) => require.from.filter(isTeam)))],
    authorTeams: [...new Set(asked.flatMap(authorsOf).filter(isTeam))],
  };
}

/**
 * Tells whether the rule is about the repository and the base branch, or about the deployment. Only the ref of a deployment
 * can be unknown, and is empty then. A rule with environments or refs is about deployments alone, and every other one about
 * pull requests alone.
 */
export function isAbout({ when }: Rule, { repo, base, deployment }: AboutPull): Certainty {
  if (isAboutDeployments({ when }) !== (deployment !== undefined)) return 'no';
  const isRepository = when.repositories ? createCaselessGlobs(when.repositories)(repo.name) : 'yes';
  const isEnvironment =
    deployment && when.environments ? createCaselessGlobs(when.environments)(deployment.environment) : 'yes';
  const bases = deployment ? when.refs : when.branches;
  const known = both(isRepository, isEnvironment);
  return known === 'no' || !bases ? known : both(known, base ? createGlobs(bases)(base) : 'maybe');
}

const authorsOf = ({ when }: Rule) => (Array.isArray(when.authors) ? when.authors : []);

/**
 * Tells whether an enforced rule about the repository, or about any if none is given, takes approvals of outside
 * collaborators.
 */
export function namesCollaborators(policy: Policy, repository?: string): boolean {
  return repository === undefined ? rulesOf(policy).length > 0 : createNamesCollaborators(policy)(repository);
}

/** Tells it of one repository after the other. Once they took too many steps together, the others may be named. */
export function createNamesCollaborators(policy: Policy): (repository: string) => boolean {
  const work = { steps: MOST_STEPS };
  const globs = rulesOf(policy).map(({ when: { repositories } }) =>
    createCaselessGlobs(repositories ?? ['*']),
  );
  return (repository) => globs.some((matches) => matches(repository, work) !== 'no');
}

const rulesOf = ({ rules }: Policy) =>
  rules.filter(
    ({ enforced, require: { approvals, from } }) =>
      enforced && approvals > 0 && from.includes('collaborators'),
  );

/** The files of one pull request may take this many steps with all rules: about a tenth of a second. */
export const MOST_STEPS = 30_000_000;

/**
 * Compares each path with patterns. `work` has the steps that are left for it: none, once all paths together took
 * `most`. Between two paths, other work goes first if a few milliseconds have passed.
 */
export async function eachPath(
  paths: string[],
  most: number,
  compare: (names: string[], work: Work) => void,
): Promise<void> {
  let left = most;
  let pauseAt = left - MOST_STEPS_OF_A_PATH;
  for (const path of paths) {
    const given = Math.min(left, MOST_STEPS_OF_A_PATH);
    const work = { steps: given };
    compare(path.split('/'), work);
    left -= given - work.steps;
    if (left > pauseAt) continue;
    pauseAt = left - MOST_STEPS_OF_A_PATH;
    await giveWay();
  }
}

/** Tells whether the changed files match the paths of each rule about the pull request. */
export async function matchFiles(
  { rules }: Pick<Policy, 'rules'>,
  pull: AboutPull,
  { paths, isComplete }: ChangedFiles,
): Promise<FileMatches> {
  const asked = rules.flatMap((rule) => {
    const { name, when, require } = rule;
    if (!when.paths || isAbout(rule, pull) === 'no') return [];
    const needsAll = require.approvals === 0;
    const start: Certainty = needsAll ? isTrue(isComplete && paths.length > 0) : isComplete ? 'no' : 'maybe';
    return [{ name, needsAll, globs: createGlobs(when.paths), matches: start }];
  });
  await eachPath(paths, MOST_STEPS, (names, work) => {
    for (const one of asked) {
      if (one.needsAll ? one.matches === 'no' : one.matches === 'yes') continue;
      const match = one.globs(names, work);
      one.matches = one.needsAll ? isTrue(match === 'yes') : either(one.matches, match);
    }
  });
  return new Map(asked.map(({ name, matches }) => [name, matches]));
}
