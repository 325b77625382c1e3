import {
  type AskedBy,
  INBOX_PAGE,
  type InboxAnswer,
  type InboxDeployment,
  type InboxQuestion,
  MOST_COUNTED,
} from '../contract/inbox.ts';
import type { Organization } from '../organizations/ports.ts';
import { toWaitingDeployment } from '../organizations/waiting-deployments.ts';
import { toWaitingPull } from '../organizations/waiting-pulls.ts';
import type { Origins } from '../shared/links.ts';
import type { Profile, Profiles, WaitingPull } from './ports.ts';

/** The most choices of a filter. The search finds the others. */
const MOST_CHOICES = 200;

/**
 * A pull request or a deployment that waits for a person, and why for them and no other; null if others could approve it too.
 * `namesSomebody`: whether a rule or a review request names a person or a team.
 */
export type Waiting = {
  pull: WaitingPull;
  org: Organization;
  asked: AskedBy | null;
  namesSomebody: boolean;
};

/** The page of the inbox that a person asked for, of all that waits for them, in any order. */
export async function inboxPage(
  { origins, profiles }: { origins: Origins; profiles: Profiles },
  all: Waiting[],
  question: InboxQuestion,
): Promise<Omit<InboxAnswer, 'isComplete'>> {
  const { tab = 'for-you', order = 'waiting', after = '' } = question;
  const forYou = all.filter(({ asked }) => asked !== null);
  const others = all.filter(({ asked }) => asked === null);
  const opens = forYou.length === 0 && others.length > 0 ? 'may-approve' : 'for-you';
  const inTab = (tab === 'auto' ? opens : tab) === 'for-you' ? forYou : others;
  const direction = order === 'newest' ? -1 : 1;
  const compare = (one: Position, other: Position) => direction * comparePositions(one, other);
  const found = inTab
    .filter((waiting) => matches(waiting, question))
    .sort((one, other) => compare(positionOf(one), positionOf(other)));
  const pulls = found.filter(isPull);
  const before = parsePosition(after);
  const start = before ? pulls.findIndex((one) => compare(positionOf(one), before) > 0) : 0;
  const rest = start < 0 ? [] : pulls.slice(start);
  const shown = rest.slice(0, INBOX_PAGE);
  const last = rest.length > INBOX_PAGE ? shown.at(-1) : undefined;
  const approvers = shown.flatMap(({ pull }) => pull.lacks.flatMap(({ counted }) => counted));
  const profileOf = await profiles.of([...new Set(approvers)]);
  const count = (list: Waiting[]) => Math.min(list.filter(isPull).length, MOST_COUNTED);
  const countOthers = (list: Waiting[]) => list.length - list.filter(isPull).length;
  return {
    forYou: count(forYou),
    mayApprove: count(others),
    deploymentsIn: { 'for-you': countOthers(forYou), 'may-approve': countOthers(others) },
    opens,
    asksOthers: others.some(({ namesSomebody }) => namesSomebody),
    total: count(found),
    pulls: shown.map((one) => toInboxPull(origins, profileOf, one)),
    deployments: found.flatMap(toInboxDeployment).slice(0, INBOX_PAGE),
    next: last ? positionOf(last).join(':') : null,
    repositories: choicesOf(inTab.map(fullName)),
    rules: choicesOf(inTab.flatMap(rulesOf)),
    hasAgents: inTab.some(({ pull }) => pull.agents !== null),
  };
}

const isPull = ({ pull }: Waiting): boolean => pull.deployment === undefined;

const fullName = ({ org, pull }: Waiting): string => `${org.name}/${pull.repoName}`;

/** A requirement that comes from no rule has no name. */
const rulesOf = ({ pull }: Waiting): string[] => pull.lacks.map(({ rule }) => rule).filter(Boolean);

function matches(
  waiting: Waiting,
  { search = '', repository = '', rule = '', agents = false }: InboxQuestion,
): boolean {
  const { title, author, pr } = waiting.pull;
  const name = fullName(waiting);
  if (repository && name.toLowerCase() !== repository.toLowerCase()) return false;
  if (rule && !rulesOf(waiting).includes(rule)) return false;
  if (agents && waiting.pull.agents === null) return false;
  const wanted = search.trim().toLowerCase();
  return [title, `${name} #${pr}`, author].some((text) => text.toLowerCase().includes(wanted));
}

/** Where a pull request is among the longest waiting: no two are at one place. */
type Position = [since: number, repoId: number, pr: number];

const positionOf = ({ pull: { since, repoId, pr } }: Waiting): Position => [since.getTime(), repoId, pr];

const comparePositions = (one: Position, other: Position): number =>
  one[0] - other[0] || one[1] - other[1] || one[2] - other[2];

/** Null if it isn't the `next` of a page. */
function parsePosition(text: string): Position | null {
  const [since, repoId, pr] = text.split(':').map(Number);
  return since && repoId && pr ? [since, repoId, pr] : null;
}

const choicesOf = (names: string[]): string[] =>
  [...new Set(names)].sort((one, other) => one.localeCompare(other, 'en')).slice(0, MOST_CHOICES);

const toInboxDeployment = ({ pull: { deployment }, org, asked }: Waiting): InboxDeployment[] =>
  deployment ? [{ ...toWaitingDeployment(org, deployment), asked }] : [];

const toInboxPull = (
  origins: Origins,
  profileOf: ReadonlyMap<number, Profile>,
  { pull, org, asked }: Waiting,
): InboxAnswer['pulls'][number] => ({
  ...toWaitingPull(origins, org, pull),
  org: { id: org.orgId, name: org.name, installation: org.installationId },
  repoID: pull.repoId,
  base: pull.base,
  opened: pull.opened.toISOString(),
  asked,
  progress: pull.lacks.map(({ rule, missing, lacking, counted }) => ({
    rule,
    missing,
    approved: counted.length,
    needed: counted.length + lacking,
    by: counted.flatMap((githubId) => profileOf.get(githubId) ?? []),
  })),
});
