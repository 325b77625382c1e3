import type { PullStory, StoryApproval } from '../contract/approvals.ts';
import type { Users } from '../people/ports.ts';
import type { Approval, Approvals, Denial, OfPull, OpenPulls, PullRequest } from './ports.ts';

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
  const given = await readGiven(deps, repo.ownerId, { repoId: repo.id, pr: number });
  return { opened: { by, at: createdAt.toISOString() }, head, base, ...given };
}

/** Tells the story of a pull request by what is stored alone; who opened it is known while it's open. */
export async function storedStoryOf(
  deps: StoryDeps,
  orgId: number,
  pull: { repoId: number; pr: number },
): Promise<PullStory> {
  const [given, open] = await Promise.all([readGiven(deps, orgId, pull), deps.openPulls.find(orgId, pull)]);
  if (!open) return { opened: null, head: null, base: null, ...given };
  const { author, opened, head, base } = open;
  const by = author === '' ? null : { login: author, avatarUrl: '' };
  return { opened: { by, at: opened.toISOString() }, head, base, ...given };
}

async function readGiven(
  { approvals, users }: StoryDeps,
  orgId: number,
  { repoId, pr }: { repoId: number; pr: number },
): Promise<Pick<PullStory, 'approvals' | 'denials'>> {
  const ofPull = await approvals.ofPull(repoId, pr);
  const isOfAccount = (one: Approval | Denial) => one.orgId === orgId;
  const approved = ofPull.approvals.filter(isOfAccount);
  const denied = ofPull.denials.filter(isOfAccount);
  const avatars = await users.avatars([...approved, ...denied].map(({ githubId }) => githubId));
  const toStory = (one: OfPull<Approval | Denial>): StoryApproval => {
    const { id, head, base, login, method, at, withdrawn } = one;
    return {
      ...{ id, head, base, login, method },
      avatarUrl: avatars.get(one.githubId) ?? '',
      at: at.toISOString(),
      withdrawn: withdrawn?.toISOString() ?? null,
    };
  };
  return {
    approvals: approved.map(toStory),
    denials: denied.map((one) => ({ ...toStory(one), reason: one.reason })),
  };
}
