import type { TrackDeps } from '../approvals/track.ts';

/** What the webhooks' handlers call; `githubUrl` is the origin of GitHub's pages. */
export type BotDeps = TrackDeps & { githubUrl: string };
