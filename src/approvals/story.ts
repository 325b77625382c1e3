import type { PullStory } from '../contract/approvals.ts';
import type { Users } from '../people/ports.ts';
import type { Approvals, OpenPulls, PullRequest } from './ports.ts';

export type StoryDeps = {
  approvals: Pick<Approvals, 'ofPull'>;
  openPulls: Pick<OpenPulls, 'find'>;
  users: Pick<Users, 'avatars'>;
};

/** The newest valid approval of another head; undefined if there is none. @param all Oldest first. */
export const findEarlier = <One extends { head: string; withdrawn: unknown }>(all: One[], head: string) =>
  all.findLast((approval) => !approval.withdrawn && approval.head !== head);

/** Tells the story of a pull request that GitHub shows now. */
export async function storyOf(deps: StoryDeps, pull: PullRequest): Promise<PullStory> {
  const { author, createdAt, head, base, repo, number } = pull;
  const by = author && { login: author.login, avatarUrl: author.avatarUrl };
  const approvals = await readApprovals(deps, repo.ownerId, { repoId: repo.id, pr: number });
  return { opened: { by, at: createdAt.toISOString() }, head, base, approvals, denials: [] };
}

/** Tells the story of a pull request by what is stored alone; who opened it is known while it's open. */
export async function storedStoryOf(
  deps: StoryDeps,
  orgId: number,
  pull: { repoId: number; pr: number },
): Promise<PullStory> {
  const [approvals, open] = await Promise.all([
    readApprovals(deps, orgId, pull),
    deps.openPulls.find(orgId, pull),
  ]);
  if (!open) return { opened: null, head: null, base: null, approvals, denials: [] };
  const { author, opened, head, base } = open;
  const by = author === '' ? null : { login: author, avatarUrl: '' };
  return { opened: { by, at: opened.toISOString() }, head, base, approvals, denials: [] };
}

async function readApprovals(
  { approvals, users }: StoryDeps,
  orgId: number,
  { repoId, pr }: { repoId: number; pr: number },
): Promise<PullStory['approvals']> {
  const ofPull = (await approvals.ofPull(repoId, pr)).filter((approval) => approval.orgId === orgId);
  const avatars = await users.avatars(ofPull.map(({ githubId }) => githubId));
  return ofPull.map(({ id, head, base, login, githubId, method, at, withdrawn }) => ({
    ...{ id, head, base, login, method },
    avatarUrl: avatars.get(githubId) ?? '',
    at: at.toISOString(),
    withdrawn: withdrawn?.toISOString() ?? null,
  }));
}
