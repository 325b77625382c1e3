/** A deployment that waits for people, as lists show it. */
export type WaitingDeployment = {
  org: string;
  /** The repository's name, without its owner. */
  repo: string;
  environment: string;
  run: number;
  /** The branch or tag, and the commit, full length. */
  ref: string;
  head: string;
  /** The time of GitHub's request (RFC 3339). */
  since: string;
  /** The page that decides about it: a path of the dashboard. */
  approval: string;
};
