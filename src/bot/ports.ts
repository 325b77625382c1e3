import type { MemberListDeps } from '../accounts/member-list.ts';
import type { IntroduceDeps } from '../approvals/introduce.ts';
import type { MergeGroupDeps } from '../approvals/merge-group.ts';
import type { TrackDeps } from '../approvals/track.ts';

/** What the webhooks' handlers call; `githubUrl` is the origin of GitHub's pages. */
export type BotDeps = TrackDeps &
  MemberListDeps &
  MergeGroupDeps &
  IntroduceDeps & { githubUrl: string; owed: Owed };

/** What webhooks asked for and could not be done, by a name of its own: the sweeper does it soon. */
export type Owed = Map<string, () => Promise<void>>;
