import pMap from 'p-map';
import { type Policy, parsePolicy } from '../../contract/policy.ts';
import type { PolicyPreviewAnswer } from '../../contract/policy-calls.ts';
import type { Organization, UnapprovedPull } from '../../organizations/ports.ts';
import { requireOwner } from '../../organizations/require-role.ts';
import type { Session } from '../../people/ports.ts';
import { onceForEach } from '../../shared/work.ts';
import type { HeadDeps } from '../deps.ts';
import { judgeNow } from '../judge/read-grounds.ts';
import type { PolicyDeps } from './deps.ts';
import { trialCost } from './try-policy.ts';

/** At most this many pull requests are judged, half of them passing if possible, the longest open first. */
const MOST_PULLS = 20;
const AT_ONCE = 4;
/** A preview costs at least two trials, each of which may take this many requests to GitHub. */
const REQUESTS_A_TRIAL = 20;
const LEAST_TRIALS = 2;

/** The cost of a preview in trials of a small policy: by its requests to GitHub, and by the processor time it takes. */
export function previewCost(policies: unknown[]): { requests: number; work: number } {
  const costs = policies.map(trialCost);
  const total = costs.reduce((sum, { work }) => sum + work, 0);
  return {
    requests: Math.max(LEAST_TRIALS, ...costs.map(({ requests }) => requests)),
    work: Math.max(LEAST_TRIALS, total),
  };
}

/**
 * Judges open pull requests of an organization by its policy in force and by
 * others, and counts whose verdict would change. Stops at the number of
 * requests to GitHub that `previewCost` allows. Changes nothing.
 *
 * @throws AppError with each refusal of `requireOwner`, `githubUnavailable`, `storeUnavailable`.
 */
export async function previewPolicies(
  deps: HeadDeps & Pick<PolicyDeps, 'pullSearch'>,
  { person, orgID, policies }: { person: Session; orgID: number; policies: unknown[] },
): Promise<PolicyPreviewAnswer> {
  const org = await requireOwner(deps, person, orgID);
  const inForce = (await deps.policies.inForce(org.orgId)).policy;
  const drafts = policies.map((sent) => parsePolicy(sent).policy ?? null);
  const { open, pulls } = await sample(deps, org);
  const reads = limitReads(deps, REQUESTS_A_TRIAL * previewCost(policies).requests);
  const verdicts = await pMap(
    pulls,
    async (pull) => {
      try {
        return await judgeByEach(reads, { org, pull, policies: [inForce, ...drafts] });
      } catch (error) {
        if (error instanceof ReadsUsedUp) return null;
        throw error;
      }
    },
    { concurrency: AT_ONCE },
  );
  const judged = verdicts.filter((verdict) => verdict !== null);
  const changed = (index: number, before: boolean) =>
    judged.filter(([now, ...others]) => now === before && others[index] === !before).length;
  return {
    open,
    judged: judged.length,
    policies: drafts.map(
      (draft, index) => draft && { wait: changed(index, true), pass: changed(index, false) },
    ),
  };
}

/** A sample of open pull requests, half of them passing if possible, and the number of all. */
async function sample(
  { pullSearch }: HeadDeps & Pick<PolicyDeps, 'pullSearch'>,
  org: Organization,
): Promise<{ open: number; pulls: UnapprovedPull[] }> {
  const page = { search: '', after: '', most: MOST_PULLS };
  const [passing, waiting] = await Promise.all(
    [true, false].map((approved) => pullSearch.list(org.id, { ...page, approved })),
  );
  const inTurn = Array.from({ length: MOST_PULLS }, (_, index) => [
    passing?.pulls[index],
    waiting?.pulls[index],
  ]);
  const pulls = inTurn.flat().filter((pull) => pull !== undefined);
  return { open: (passing?.total ?? 0) + (waiting?.total ?? 0), pulls: pulls.slice(0, MOST_PULLS) };
}

/** Tells whether the pull request passes by each of the policies, as it is now; null if it isn't open any more. */
async function judgeByEach(
  deps: HeadDeps,
  { org, pull, policies }: { org: Organization; pull: UnapprovedPull; policies: (Policy | null)[] },
): Promise<(boolean | null)[] | null> {
  const repo = { installation: org.installationId, owner: org.name, name: pull.repoName };
  const open = await deps.pulls.listOpen(repo);
  const openPull = open?.find(({ number, repo: { ownerId } }) => number === pull.pr && ownerId === org.orgId);
  if (!openPull) return null;
  const verdicts: (boolean | null)[] = [];
  for (const policy of policies)
    verdicts.push(policy && (await judgeNow(deps, { repo, pull: openPull, policy })).passed);
  return verdicts;
}

/** The preview has used up its requests to GitHub. */
class ReadsUsedUp extends Error {}

/** Reads each thing from GitHub once, and throws `ReadsUsedUp` once that took `most` requests, about. */
function limitReads(deps: HeadDeps, most: number): HeadDeps {
  let left = most;
  const once = <Input extends unknown[], Answer>(read: (...input: Input) => Promise<Answer>) =>
    onceForEach(async (...input: Input) => {
      if (left <= 0) throw new ReadsUsedUp();
      left -= 1;
      const answer = await read(...input);
      // GitHub lists a hundred with each request.
      left -= Math.floor(lengthOf(answer) / 100);
      return answer;
    });
  const { pulls, pullChanges, members, access, teams } = deps;
  return {
    ...deps,
    pulls: { ...pulls, listOpen: once((repo) => pulls.listOpen(repo)) },
    pullChanges: {
      ...pullChanges,
      files: once((repo, pull) => pullChanges.files(repo, pull)),
      commits: once((repo, pull) => pullChanges.commits(repo, pull)),
      requesters: once((repo, pull) => pullChanges.requesters(repo, pull)),
      approvers: once((repo, pull) => pullChanges.approvers(repo, pull)),
    },
    members: {
      ...members,
      role: once((org, person) => members.role(org, person)),
      loginOf: once((org, id) => members.loginOf(org, id)),
    },
    access: {
      ...access,
      permission: once((repo, person) => access.permission(repo, person)),
      isCollaborator: once((repo, person) => access.isCollaborator(repo, person)),
    },
    teams: { has: once((repo, team, person) => teams.has(repo, team, person)) },
  };
}

/** The length of the list in an answer of `listOpen`, `files` or `commits`. */
function lengthOf(answer: unknown): number {
  const { paths, people } = Object(answer) as { paths?: unknown[]; people?: unknown[] };
  return (Array.isArray(answer) ? answer : (paths ?? people ?? [])).length;
}
