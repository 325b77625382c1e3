import type { FieldMatches, PatternLists, PatternMatchesAnswer } from '../../contract/policy-calls.ts';
import type { Organization, PullSearch, UnapprovedPull } from '../../organizations/ports.ts';
import { type RoleDeps, requireOwner } from '../../organizations/require-role.ts';
import type { Session } from '../../people/ports.ts';
import type { ChangedFiles } from '../../policies/details.ts';
import { eachPath, MOST_STEPS } from '../../policies/details-to-read.ts';
import { createCaselessGlobs, createGlobs } from '../../policies/globs.ts';
import type { Clock } from '../../shared/clock.ts';
import { createReadOnce } from '../../shared/expiring-map.ts';
import type { PullChanges } from '../ports.ts';
import type { PolicyDeps, ReadWaiting, Waiting } from './deps.ts';

/** Patterns are compared with at most this many pull requests, the longest waiting ones. */
const MOST_PULLS = 40;
/** At most 20 pull requests' files are read, four at a time, until 2,000 files are known: at most about 130 requests. */
const MOST_READ = 20;
const AT_ONCE = 4;
const ENOUGH_FILES = 2_000;
/** People type patterns, and each call would read the same files again. */
const KEPT_MS = 5 * 60_000;

const MOST_SHOWN = 3;

export function createReadWaiting(deps: {
  pullSearch: PullSearch;
  pullChanges: Pick<PullChanges, 'files'>;
  clock: Clock;
}): ReadWaiting {
  const readOnce = createReadOnce<Waiting>(deps.clock, KEPT_MS);
  return (org) => readOnce(org.id, () => readWaiting(deps, org));
}

async function readWaiting(
  deps: { pullSearch: PullSearch; pullChanges: Pick<PullChanges, 'files'> },
  org: Organization,
): Promise<Waiting> {
  const { total, pulls } = await deps.pullSearch.list(org.id, { search: '', after: '', most: MOST_PULLS });
  const files: Waiting['files'] = new Map();
  const readable = pulls.filter(({ base }) => base !== '').slice(0, MOST_READ);
  let fileCount = 0;
  for (let start = 0; start < readable.length && fileCount < ENOUGH_FILES; start += AT_ONCE) {
    const readings = readable.slice(start, start + AT_ONCE).map(async (pull) => {
      const { repoId: id, repoName: name, pr: number, head, base } = pull;
      const repo = { id, owner: org.name, name, ownerId: org.orgId };
      const ref = { installation: org.installationId, owner: org.name, name };
      const changed = await deps.pullChanges.files(ref, { number, head, base, repo });
      files.set(pull, changed);
      fileCount += changed.paths.length;
    });
    await Promise.all(readings);
  }
  return { total, pulls, files };
}

/**
 * Finds the organization's waiting pull requests that match the patterns that an owner writes. Changes nothing.
 *
 * @throws AppError with each refusal of `requireOwner`, `githubUnavailable`, `storeUnavailable`.
 */
export async function matchPatterns(
  deps: RoleDeps & Pick<PolicyDeps, 'readWaiting'>,
  { person, orgID, lists }: { person: Session; orgID: number; lists: PatternLists },
): Promise<PatternMatchesAnswer> {
  const org = await requireOwner(deps, person, orgID);
  const { total, pulls, files } = await deps.readWaiting(org);
  const { repositories, branches, paths } = lists;
  const readPulls = pulls.filter((pull) => files.has(pull));
  // All pull requests together may take the steps of a single judgement.
  const steps = Math.floor(MOST_STEPS / readPulls.length);
  const byPath = new Map<UnapprovedPull, string[]>();
  for (const [pull, changed] of files) byPath.set(pull, await matchingPaths(paths ?? [], changed, steps));
  return {
    waiting: total,
    repositories: repositories
      ? summary(repositories, pulls, ({ repoName }) => matching(repositories, createCaselessGlobs, repoName))
      : null,
    branches: branches ? summary(branches, pulls, ({ base }) => matching(branches, createGlobs, base)) : null,
    paths: paths ? summary(paths, readPulls, (pull) => byPath.get(pull) ?? []) : null,
  };
}

const matching = (
  patterns: string[],
  create: (patterns: string[]) => (name: string) => string,
  name: string,
): string[] => patterns.filter((pattern) => create([pattern])(name) !== 'no');

/** The patterns that match, or may match, a file of the pull request. Takes at most `steps`. */
async function matchingPaths(
  patterns: string[],
  { paths, isComplete }: ChangedFiles,
  steps: number,
): Promise<string[]> {
  if (!isComplete) return patterns;
  const matched = new Set<string>();
  const all = patterns.map((pattern) => ({ pattern, matches: createGlobs([pattern]) }));
  await eachPath(paths, steps, (names, work) => {
    for (const { pattern, matches } of all)
      if (!matched.has(pattern) && matches(names, work) !== 'no') matched.add(pattern);
  });
  return [...matched];
}

function summary(
  patterns: string[],
  pulls: UnapprovedPull[],
  matched: (pull: UnapprovedPull) => string[],
): FieldMatches {
  const matches = pulls.map((pull) => ({ pull, patterns: matched(pull) }));
  const matching = matches.filter((one) => one.patterns.length > 0);
  const used = new Set(matches.flatMap((one) => one.patterns));
  return {
    of: pulls.length,
    matching: matching.length,
    first: matching.slice(0, MOST_SHOWN).map(({ pull: { repoName: repo, pr } }) => ({ repo, pr })),
    unmatched: patterns.filter((pattern) => !used.has(pattern)),
  };
}
