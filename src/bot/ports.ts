import type { MemberListDeps } from '../accounts/member-list.ts';
import type { KnownRepository, TrackDeps } from '../approvals/track.ts';

/** What the webhooks' handlers call; `githubUrl` is the origin of GitHub's pages. */
export type BotDeps = TrackDeps & MemberListDeps & { githubUrl: string; owed: Owed };

/** Repositories whose webhooks could not be worked through: the sweeper looks at them soon. */
export type Owed = Map<string, KnownRepository>;
