import pMap from 'p-map';
import type { Permission } from '../contract/accounts.ts';
import { type InboxAnswer, type InboxQuestion, MOST_COUNTED } from '../contract/inbox.ts';
import type { Policy } from '../contract/policy.ts';
import type { Installation, Organization, Role } from '../organizations/ports.ts';
import type { Session } from '../people/ports.ts';
import { namesCollaborators } from '../policies/details-to-read.ts';
import type { InboxDeps } from './deps.ts';
import { inboxPage, type Waiting } from './inbox-page.ts';
import { toWaiting, type WaitingPull } from './ports.ts';
import { MOST_WAITING, readStanding } from './read-where.ts';
import type { Viewer } from './visible-repositories.ts';
import { namesSomebody, waitsFor } from './waits-for.ts';

/** The number of an organization's waiting pull requests to read: more of them if too few wait for the person. */
const READ = [1_000, 2_000, MOST_WAITING];
const CONCURRENCY = 4;

/** A person in one organization, and the repositories that GitHub shows them there. */
type About = {
  person: Session;
  role: Role | null;
  org: Organization;
  policy: Policy;
  repositories: ReadonlyMap<number, Permission>;
};

/**
 * The pull requests and deployments that wait for this person, over all their organizations: the page that they
 * asked for. One is shown only if GitHub shows its repository to the person's own token.
 *
 * @throws AppError with each refusal of `requirePerson`, `githubUnavailable`, `storeUnavailable`.
 */
export async function inbox(
  deps: InboxDeps,
  input: InboxQuestion & { session: Session; accessToken?: string | undefined },
): Promise<InboxAnswer> {
  const { session, accessToken, ...question } = input;
  const viewer = { session, token: accessToken };
  const installations = await deps.visible.installations(viewer);
  const memberships = await deps.memberships.of(session.userId);
  const found = await pMap(
    installations.filter(({ suspended }) => !suspended),
    (installation) => waitingIn(deps, viewer, { installation, memberships }),
    { concurrency: CONCURRENCY },
  );
  const all = found.flatMap(({ waiting }) => waiting);
  return { ...(await inboxPage(deps, all, question)), isComplete: found.every((one) => one.isComplete) };
}

type Found = { waiting: Waiting[]; isComplete: boolean };

const NOTHING: Found = { waiting: [], isComplete: true };

async function waitingIn(
  deps: InboxDeps,
  viewer: Viewer,
  at: { installation: Installation; memberships: { org: Organization; role: Role }[] },
): Promise<Found> {
  const { id } = at.installation;
  const membership = at.memberships.find(({ org }) => org.installationId === id);
  const org = membership?.org ?? (await deps.organizations.byInstallation(id));
  if (!org || org.suspended) return NOTHING;
  const role = membership?.role ?? null;
  const { policy } = await deps.policies.inForce(org.orgId);
  if (role === null && (org.accountType === 'User' || !namesCollaborators(policy))) return NOTHING;
  const deployments = (await deps.deployments.waiting(org.orgId)).map(toWaiting);
  let waiting: Waiting[] = [];
  for (const most of READ) {
    const pulls = await deps.waitingLists.of(org.id, most);
    // GitHub needn't be asked about an organization in which nothing waits.
    if (pulls.length + deployments.length === 0) return NOTHING;
    const repositories = await deps.visible.in(viewer, id);
    const about = { person: viewer.session, role, org, policy, repositories };
    waiting = await waitingAmong(deps, [...pulls, ...deployments], about);
    if (pulls.length < most) return { waiting, isComplete: true };
    if (waiting.length >= MOST_COUNTED) break;
  }
  return { waiting, isComplete: false };
}

async function waitingAmong(
  deps: InboxDeps,
  pulls: WaitingPull[],
  { repositories, ...about }: About,
): Promise<Waiting[]> {
  const { org, policy } = about;
  const visible = pulls.filter(({ repoId }) => repositories.has(repoId));
  const permissionIn = (repoId: number) => repositories.get(repoId);
  const [standing, pools] = await Promise.all([
    readStanding(deps, { ...about, pulls: visible, permissionIn }),
    deps.readPools(org),
  ]);
  return visible.flatMap((pull) => {
    const where = { org, policy, pools };
    const waits = waitsFor(pull, standing, where);
    return waits ? [{ pull, org, asked: waits.asked, namesSomebody: namesSomebody(pull, where) }] : [];
  });
}
