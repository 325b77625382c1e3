import pMap from 'p-map';
import { type InboxAnswer, type InboxPull, MOST_COUNTED } from '../contract/inbox.ts';
import type { Permission, Policy } from '../contract/policy.ts';
import type { Installation, Memberships, Organization, Organizations, Role } from '../organizations/ports.ts';
import { toWaitingPull } from '../organizations/waiting-pulls.ts';
import type { Session } from '../people/ports.ts';
import { namesCollaborators } from '../policies/facts-to-read.ts';
import type { Policies } from '../policies/ports.ts';
import type { Origins } from '../shared/links.ts';
import type { WaitingPull } from './ports.ts';
import { type ReadPools, readStanding, type TeamAnswers } from './read-where.ts';
import type { Viewer, VisibleRepositories } from './visible-repositories.ts';
import { MOST_WAITING, type WaitingLists } from './waiting-lists.ts';
import { waitsFor } from './waits-for.ts';

const MOST_SHOWN = 100;
/** How many of an organization's waiting pull requests are read: more of them if too few wait for the person. */
const READ = [1_000, 2_000, MOST_WAITING];
const CONCURRENCY = 4;

export type InboxDeps = {
  visible: VisibleRepositories;
  waitingLists: WaitingLists;
  teamsOf: TeamAnswers;
  readPools: ReadPools;
  memberships: Pick<Memberships, 'of'>;
  organizations: Pick<Organizations, 'byInstallation'>;
  policies: Pick<Policies, 'inForce'>;
  origins: Origins;
};

/** The waiting pull requests, the longest waiting first. */
type Waiting = { since: Date; show(): InboxPull };

/** A person in one organization, and the repositories that GitHub shows them there. */
type About = {
  person: Session;
  role: Role | null;
  org: Organization;
  policy: Policy;
  repositories: ReadonlyMap<number, Permission>;
};

/**
 * What waits for this person, over all their organizations. A pull request is
 * shown only if GitHub shows its repository to the person's own token.
 *
 * @throws AppError with each refusal of `requirePerson`, `githubUnavailable`, `storeUnavailable`.
 */
export async function inbox(
  deps: InboxDeps,
  { session, accessToken }: { session: Session; accessToken?: string | undefined },
): Promise<InboxAnswer> {
  const viewer = { session, token: accessToken };
  const installations = await deps.visible.installations(viewer);
  const memberships = await deps.memberships.of(session.userId);
  const found = await pMap(
    installations.filter(({ suspended }) => !suspended),
    (installation) => waitingIn(deps, viewer, { installation, memberships }),
    { concurrency: CONCURRENCY },
  );
  const all = found.flat().sort((one, other) => one.since.getTime() - other.since.getTime());
  const total = Math.min(all.length, MOST_COUNTED);
  return { total, pulls: all.slice(0, MOST_SHOWN).map(({ show }) => show()) };
}

async function waitingIn(
  deps: InboxDeps,
  viewer: Viewer,
  at: { installation: Installation; memberships: { org: Organization; role: Role }[] },
): Promise<Waiting[]> {
  const { id } = at.installation;
  const membership = at.memberships.find(({ org }) => org.installationId === id);
  const org = membership?.org ?? (await deps.organizations.byInstallation(id));
  if (!org || org.suspended) return [];
  const role = membership?.role ?? null;
  const { policy } = await deps.policies.inForce(org.orgId);
  if (role === null && (org.accountType === 'User' || !namesCollaborators(policy))) return [];
  let found: Waiting[] = [];
  for (const most of READ) {
    const pulls = await deps.waitingLists.of(org.id, most);
    // GitHub needn't be asked about an organization in which nothing waits.
    if (pulls.length === 0) return [];
    const repositories = await deps.visible.in(viewer, id);
    found = await waitingAmong(deps, pulls, { person: viewer.session, role, org, policy, repositories });
    if (pulls.length < most || found.length === MOST_COUNTED) break;
  }
  return found;
}

/** Ends when there are as many as are counted. */
async function waitingAmong(
  deps: InboxDeps,
  pulls: WaitingPull[],
  { repositories, ...about }: About,
): Promise<Waiting[]> {
  const { org, policy } = about;
  const visible = pulls.filter(({ repoId }) => repositories.has(repoId));
  const permissionIn = (repoId: number) => repositories.get(repoId);
  const [standing, pools] = await Promise.all([
    readStanding(deps.teamsOf, { ...about, pulls: visible, permissionIn }),
    deps.readPools(org),
  ]);
  const found: Waiting[] = [];
  for (const pull of visible) {
    if (found.length === MOST_COUNTED) break;
    const waits = waitsFor(pull, standing, { org, policy, pools });
    if (!waits) continue;
    const { asked } = waits;
    found.push({ since: pull.since, show: () => toInboxPull(deps.origins, org, { pull, asked }) });
  }
  return found;
}

function toInboxPull(
  origins: Origins,
  org: Organization,
  { pull, asked }: { pull: WaitingPull; asked: InboxPull['asked'] },
): InboxPull {
  return {
    ...toWaitingPull(origins, org, pull),
    org: { id: org.orgId, name: org.name, installation: org.installationId },
    repoID: pull.repoId,
    base: pull.base,
    opened: pull.opened.toISOString(),
    asked,
  };
}
