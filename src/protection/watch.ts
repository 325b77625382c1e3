import type { Effects } from '../audit/ports.ts';
import type { CheckRequirement } from '../contract/organization-health.ts';
import type { Bypass } from '../contract/protection.ts';
import type { Organization } from '../organizations/ports.ts';
import { sha256OfJson } from '../shared/crypto.ts';
import { attempt, type SyncFailures } from '../shared/work.ts';
import { bypassOf, requirementOf } from './bypass.ts';
import { compareAccount, compareRepository, undoes, unseenChange } from './compare.ts';
import type { WatchDeps } from './deps.ts';
import { compareEnvironments } from './environments.ts';
import { canGate } from './permissions.ts';
import type { AccountProtection, FoundChange, NewWeakening, Noted, WatchedRepository } from './ports.ts';

/** For how long a webhook that arrives late still names who did what was found without it. */
const NAMED_LATER_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Changes that were found: in a repository, or in the account itself. */
type Found = {
  repoId: number | null;
  changes: FoundChange[];
  noted?: Noted | null | undefined;
};

/**
 * Reads who owns an account and what the App may do there, and logs what changed since we last did. A lost webhook so
 * costs nothing but the name of who did it.
 *
 * @returns What we know now. A part that GitHub doesn't show keeps its value.
 */
export async function watchAccount(
  deps: WatchDeps,
  org: Organization,
  noted?: Noted | null,
): Promise<AccountProtection> {
  const before = await deps.knownAccounts.get(org.id);
  const now = await deps.protections.account(org);
  const { changes, known } = compareAccount(before, now);
  await logChanges(deps, org, { repoId: null, changes, noted });
  // Last: a process that dies before finds the same changes again, and logs none twice.
  if (!before || sha256OfJson(before) !== sha256OfJson(known))
    // Owners must be known even if the list of selected repositories is too large: then only that list is unknown.
    (await deps.knownAccounts.save(org.id, known)) ||
      (await deps.knownAccounts.save(org.id, { ...known, repositories: null }));
  if (now.isRemoved && org.installationId !== 0) await deps.organizations.removed(org.installationId);
  return known;
}

/** The App didn't lose a repository that was deleted. */
export async function forgetRepository(
  { knownAccounts }: Pick<WatchDeps, 'knownAccounts'>,
  org: Pick<Organization, 'id'>,
  repoId: number,
): Promise<void> {
  const known = await knownAccounts.get(org.id);
  const repositories = known?.repositories?.filter(({ id }) => id !== repoId);
  if (known && repositories) await knownAccounts.save(org.id, { ...known, repositories });
}

/** Watches every account that has the App, as far as we know. */
export async function watchAccounts(deps: WatchDeps & SyncFailures): Promise<void> {
  const installed = (await deps.organizations.all()).filter(({ installationId }) => installationId !== 0);
  for (const org of installed)
    await attempt(deps, { repository: `${org.name}/*` }, () => watchAccount(deps, org));
}

/** How long an answer about a repository is good if nothing tells us that it changed. */
const AGAIN_AFTER_MS = 6 * 60 * 60_000;
/** The same if the check is required there, or was, or if an environment has OTP Guard's rule. */
const WATCH_AGAIN_MS = 5 * 60_000;

/**
 * Reads what protects a repository's default branch, logs what changed since we last did, and stores it.
 *
 * @param noted Who GitHub says did something; otherwise what was stored about that.
 * @returns Whether the check is required, and who may go around it, as GitHub shows it now.
 */
export async function watchRepository(
  deps: WatchDeps & { watchAgainMs?: number | undefined },
  repo: WatchedRepository,
  noted: Noted | null = repo.noted,
): Promise<{ required: CheckRequirement; bypass: Bypass | null }> {
  const at = deps.clock.now();
  const { name, defaultBranch, permissions } = repo;
  const reading = await deps.protections.repository(repo, defaultBranch, repo.known, canGate(permissions));
  const { now, ...compared } = compareRepository(name, repo.known, reading);
  const environments = compareEnvironments(name, repo.known?.environments, reading.environments);
  const changes = [...compared.changes, ...environments.changes];
  const known = { ...compared.known, environments: environments.known };
  const org = changes.length > 0 || noted ? await deps.organizations.byId(repo.orgRecordId) : null;
  if (org) await logChanges(deps, org, { repoId: repo.id, changes, noted });
  const unseen = noted && unseenChange(repo.name, noted, [repo.known, now], changes);
  if (org && unseen) {
    // Once for each delivery of the webhook.
    const name = `${unseen.about}:${noted.weakened?.delivery}`;
    await addWeakening(deps, org, toNew(deps, unseen, { repoId: repo.id, noted }), { name, undone: at });
  }
  const required = requirementOf(now);
  const bypass = bypassOf(now);
  const rules = [...(known.rulesets ?? []), ...(known.branchProtection ?? [])];
  const isWatched =
    rules.some(({ state, needsPull }) => state !== 'withoutCheck' || !needsPull) ||
    known.environments?.first.some(({ isGated }) => isGated);
  const againMs = isWatched ? (deps.watchAgainMs ?? WATCH_AGAIN_MS) : AGAIN_AFTER_MS;
  const due = new Date(at.getTime() + againMs);
  const found = { required, bypass, known, environments: reading.environments ?? null, at, due };
  if (await deps.repositoryChecks.save(repo, found)) return { required, bypass };
  // Without the reading, the next one can't tell what changes from now on, so nothing is known as protected.
  const unknown = { required: required === 'thisApp' ? ('unknown' as const) : required, bypass: null };
  const parts = [{ ...known, deployKeys: null, sent: undefined }, repo.known];
  for (const part of parts)
    if (await deps.repositoryChecks.save(repo, { ...found, ...unknown, known: part })) break;
  return unknown;
}

/**
 * Logs changes, each once: a change that is stored already, and that nobody has undone since, is known. A weakening
 * waits for an acknowledgement from then on, and a strengthening marks what it undoes.
 */
async function logChanges(deps: WatchDeps, org: Organization, found: Found): Promise<void> {
  const { repoId, changes, noted } = found;
  if (changes.length === 0 && !noted) return;
  const newest = await deps.weakenings.newest(org.id);
  // Strengthenings first: what they undo isn't known any more if it comes back in the same reading.
  for (const one of changes.toSorted((a, b) => Number(a.change.isWeaker) - Number(b.change.isWeaker))) {
    const change = toNew(deps, one, found);
    if (one.change.isWeaker) await logWeakening(deps, org, change, newest);
    else await logStrengthening(deps, org, change);
  }
  if (noted) await nameLater(deps, org, { noted, repoId });
}

/** The change with who did it, if the webhook can be about it. */
function toNew(
  { clock }: WatchDeps,
  found: FoundChange,
  { repoId, noted }: Omit<Found, 'changes'>,
): NewWeakening {
  const { change, about } = found;
  const isIts = noted?.kinds.includes(change.kind) && `${about}/`.startsWith(`${noted.about}/`);
  return {
    ...found,
    // A change of an organization's ruleset is the organization's, in whichever repository it was found.
    repoId: change.repo === undefined ? null : repoId,
    by: (isIts && noted?.by) || null,
    at: clock.now(),
  };
}

async function logWeakening(
  deps: WatchDeps,
  org: Organization,
  weakening: NewWeakening,
  newest: number,
): Promise<void> {
  const identity = identityOf(weakening);
  const lasting = await deps.weakenings.lasting(org.id, weakening.repoId ?? 0, weakening.about);
  if (lasting.some((stored) => identityOf(stored) === identity)) return;
  // Two processes that find it at the same time know the same newest one.
  await addWeakening(deps, org, weakening, { name: `${newest}:${identity}` });
}

async function addWeakening(
  deps: WatchDeps,
  org: Organization,
  weakening: NewWeakening,
  { name, ...undone }: { name: string; undone?: Date },
): Promise<void> {
  const effects = await effectsOf(deps, org, weakening, 'protectionWeakened');
  await deps.weakenings.add(
    org,
    { ...weakening, ...undone },
    { name: `weakening:${org.id}:${name}`, effects },
  );
}

/** The same weakening has the same one, whatever it's called now. */
const identityOf = ({ repoId, change, about }: Omit<NewWeakening, 'undone'>) =>
  sha256OfJson({ repoId, about, kind: change.kind, before: change.before, after: change.after });

async function logStrengthening(
  deps: WatchDeps,
  org: Organization,
  strengthening: NewWeakening,
): Promise<void> {
  const { change, about, repoId, at } = strengthening;
  const lasting = await deps.weakenings.lasting(org.id, repoId ?? 0, about);
  const undone = lasting.filter((stored) => undoes(strengthening, stored)).map(({ entry }) => entry);
  // A change of an organization's ruleset is found in each of its repositories, over a while.
  const which = undone.length > 0 ? undone.join() : Math.floor(at.getTime() / DAY_MS);
  const name = `strengthening:${org.id}:${which}:${sha256OfJson({ ...change, about })}`;
  const effects = await effectsOf(deps, org, strengthening, 'protectionStrengthened');
  await deps.weakenings.addStrengthening(org, { undone, at }, { name, effects });
}

/** The webhook about what a round found before it arrived says who did it. */
async function nameLater(
  deps: WatchDeps,
  org: Organization,
  { noted, repoId }: { noted: Noted; repoId: number | null },
): Promise<void> {
  const since = noted.at.getTime() - NAMED_LATER_MS;
  for (const { entry, by, at, change } of await deps.weakenings.lasting(org.id, repoId ?? 0, noted.about)) {
    const isOfKind = noted.kinds.includes(change.kind);
    if (!by && isOfKind && at.getTime() >= since) await deps.weakenings.setBy(org, entry, noted.by);
  }
}

/** `mailWeakenings` writes one e-mail about all of a minute, so this queues none. */
async function effectsOf(
  deps: WatchDeps,
  org: Organization,
  { change, by, person, repoId }: NewWeakening,
  activity: 'protectionWeakened' | 'protectionStrengthened',
): Promise<Effects> {
  return {
    activity: {
      activity,
      userId: (by && (await deps.users.userIdOf(by.id))) ?? '',
      orgRecordId: org.id,
      data: {
        org: org.name,
        change,
        ...(by && { login: by.login }),
        ...(change.repo !== undefined && { repo: change.repo }),
        ...(person && { user: person.login }),
      },
      facts: repoId === null ? {} : { repoId },
      personFacts: { ...(by && { by }), ...(person && { holder: person }) },
    },
    notices: [],
  };
}
