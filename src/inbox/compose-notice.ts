import type { Permission } from '../contract/accounts.ts';
import { plainTitle } from '../contract/events/words.ts';
import type { AskedBy } from '../contract/inbox.ts';
import { type Deployment, isSameEnvironment } from '../deployments/ports.ts';
import type { NewNotice, NoticedPull } from '../notices/ports.ts';
import type { Organization, RepositoryRef } from '../organizations/ports.ts';
import { linkedPull } from '../organizations/waiting-pulls.ts';
import { deployUrl } from '../shared/deployment-links.ts';
import { type Origins, shortApprovalUrl } from '../shared/links.ts';
import type { InboxDeps } from './deps.ts';
import type { PullHead, Reader, WaitingPull } from './ports.ts';
import { type Here, type Standing, waitsFor } from './waits-for.ts';

/** The most pull requests and deployments that an e-mail names. It counts the others. */
const MOST_NAMED = 10;
/** The most heads that one e-mail uses up: they're stored in one step with it. */
const MOST_HEADS = 40;

/** A pull request or a deployment that its reader can read. */
export type ReadablePull = AskedPull & { reader: Reader };

/**
 * The e-mail about these, and the heads that it uses up; null if
 * none of them is as we know it. `more` that aren't among them wait too.
 * `isWhole` is false if a later e-mail has to be about the rest.
 */
export async function composeNotice(
  { origins, readCurrent }: { origins: Origins; readCurrent: ReadCurrent },
  kind: 'pullsWait' | 'pullsDigest',
  { userId, readable, more }: { userId: string; readable: ReadablePull[]; more: number },
): Promise<{ notice: NewNotice; heads: PullHead[]; isWhole: boolean } | null> {
  const named: ReadablePull[] = [];
  const pulls: NoticedPull[] = [];
  for (const one of readable.slice(0, MOST_HEADS)) {
    if (named.length === MOST_NAMED) break;
    const current = await readCurrent(one.reader, one.pull);
    if (!current) continue;
    named.push(one);
    pulls.push({ ...current, asked: one.asked });
  }
  if (named.length === 0) return null;
  const rest = readable.slice(readable.indexOf(named.at(-1) as ReadablePull) + 1);
  const counted = named.length === MOST_NAMED ? rest : [];
  const used = [...named, ...counted.slice(0, MOST_HEADS - MOST_NAMED)];
  const data = { pulls, more: more + counted.length, origin: origins.publicUrl };
  const heads = used.map(({ pull }) => headOf(pull));
  return { notice: { kind, userId, data }, heads, isWhole: readable.length <= MOST_HEADS };
}

const headOf = ({ repoId, pr, head }: PullHead): PullHead => ({ repoId, pr, head });

/** A subject names the first of what waits, and has to fit into one line. */
const LONGEST_NAME = 50;

/** The most repositories in which GitHub is asked about one person for one e-mail. */
const MOST_REPOSITORIES = 20;

type AskedPull = { pull: WaitingPull; asked: AskedBy };

/** What waits for this person and for few others, longest waiting first. */
export const askedOf = (pulls: WaitingPull[], standing: Standing, where: Here): AskedPull[] =>
  pulls.flatMap((pull) => {
    const asked = waitsFor(pull, standing, where)?.asked;
    return asked ? [{ pull, asked }] : [];
  });

/**
 * Keeps what is in repositories that GitHub lets the person read now: an
 * e-mail reaches people without a token of theirs. Empty if they're no member
 * now. Of more than 20 repositories the rest is left out.
 */
export async function readableOf(
  deps: InboxDeps,
  reader: Reader,
  { asked, standing, where }: { asked: AskedPull[]; standing: Standing; where: Here },
): Promise<AskedPull[]> {
  if (asked.length === 0) return [];
  const role = await deps.members.role(reader.org, reader);
  if (!role) return [];
  const names = new Map(asked.map(({ pull }) => [pull.repoId, pull.repoName]));
  const granted = new Map<number, Permission>();
  for (const [id, name] of [...names].slice(0, MOST_REPOSITORIES)) {
    const repo = { installation: reader.org.installationId, owner: reader.org.name, name };
    const permission = await deps.access.permission(repo, reader);
    if (permission !== 'none') granted.set(id, permission);
  }
  const pulls = asked.map(({ pull }) => pull);
  return askedOf(pulls, { ...standing, role, permissionIn: (repoId) => granted.get(repoId) }, where);
}

/** What an e-mail says of a pull request or a deployment. */
type Described = Omit<NoticedPull, 'asked'>;

/** Reads it from GitHub, once for all its readers. Null if GitHub doesn't show that this head or this attempt waits now. */
export type ReadCurrent = (reader: Reader, pull: WaitingPull) => Promise<Described | null>;

/** Another repository may have taken the name that we know, and then its readers aren't those of this one. */
export function createReadCurrent(deps: InboxDeps): ReadCurrent {
  const known = new Map<WaitingPull, Promise<Described | null>>();
  const ask = ({ org }: Reader, pull: WaitingPull) => {
    const repo = { installation: org.installationId, owner: org.name, name: pull.repoName };
    return pull.deployment ? readRun(deps, org, repo, pull.deployment) : readPull(deps, org, repo, pull);
  };
  return (reader, pull) => {
    const asked = known.get(pull) ?? ask(reader, pull);
    known.set(pull, asked);
    return asked;
  };
}

async function readPull(
  { pulls, origins }: InboxDeps,
  org: Organization,
  repo: RepositoryRef,
  waiting: WaitingPull,
): Promise<Described | null> {
  const { repoId, pr, head, title, author } = waiting;
  const pull = await pulls.get(repo, pr);
  if (pull?.open !== true || pull.head !== head || pull.repo.id !== repoId) return null;
  const url = shortApprovalUrl(origins, repo, linkedPull(org, waiting));
  return {
    name: `${repo.owner}/${repo.name}#${pr}`,
    title,
    author,
    url,
    ...(pull.size && { files: pull.size.files }),
  };
}

async function readRun(
  { workflowRuns, origins }: InboxDeps,
  { orgId: ownerId }: Organization,
  repo: RepositoryRef,
  { repoId, run: id, attempt, head, ref, environment }: Deployment,
): Promise<Described | null> {
  const run = await workflowRuns.get(repo, id);
  if (run?.repoId !== repoId || run.attempt !== attempt || run.head !== head) return null;
  const pending = (await workflowRuns.pending(repo, id)) ?? [];
  if (!pending.some((name) => isSameEnvironment(name, environment))) return null;
  const [from, to] = [ref, environment].map((name) => plainTitle(name, LONGEST_NAME));
  const url = deployUrl(origins, { ...repo, ownerId }, { run: id, environment });
  const name = `${repo.owner}/${repo.name}: deploy ${from} to ${to}`;
  return { name, title: run.title, url, run: id, ...(run.startedBy && { author: run.startedBy.login }) };
}
