import type { PullRequest } from './ports.ts';

/** A list of pull requests in which this one stands as it was read last. */
export function withPull(pulls: PullRequest[], pull: PullRequest): PullRequest[] {
  return [...pulls.filter(({ number }) => number !== pull.number), pull];
}
