import type { KnownRepository } from '../../organizations/ports.ts';
import type { ListedPull, ShownRun } from '../ports.ts';
import type { SyncTarget } from '../sync-target.ts';

/** A repository's open pull requests, and the runs that GitHub shows on their heads. */
export type ShownHeads = {
  pulls: ListedPull[];
  /** The newest run of this App on each head, null if there is none. A head that GitHub said nothing about is missing. */
  runs: Map<string, ShownRun | null>;
};

export type OpenHeads = {
  /** Reads a whole repository with one request for each 100 pull requests; null if the installation can't see it. */
  read(repo: KnownRepository): Promise<ShownHeads | null>;
};

/** Installations with a change on GitHub that no webhook followed. */
export type UnheardChanges = {
  /** Notes that there was a change `ageMs` ago. An earlier note stays if no webhook followed it. */
  note(installation: number, ageMs: number): Promise<void>;
  /**
   * Each change from more than `forMs` ago that no processed webhook of its installation followed. Times are the
   * record store's, like those of the webhooks.
   */
  list(forMs: number): Promise<{ installation: number; at: Date }[]>;
};

/** One attempt by GitHub to deliver a webhook; the attempts of one webhook share their `guid`. */
export type SentWebhook = {
  /** Text, because GitHub's numbers can have more digits than one of JavaScript's is exact to. */
  id: string;
  guid: string;
  at: Date;
  event: string;
  action: string | null;
  installation: number | null;
};

export type SentWebhooks = {
  /** The attempts since `from` that failed, newest first. `isWhole` is false if some of them may be missing. */
  listFailed(from: Date): Promise<{ failed: SentWebhook[]; isWhole: boolean }>;
  /** Asks GitHub to deliver the webhook again. */
  redeliver(id: string): Promise<void>;
};

/** The webhooks that we processed, regardless of which attempt delivered them. */
export type ProcessedDeliveries = { isProcessed(guid: string): Promise<boolean> };

/** The outcome of one reconciliation. */
export type ReconcileReport = {
  /** Heads whose check run was missing or wrong, and was repaired. */
  repaired: SyncTarget[];
  /** The repositories and heads that failed; the next reconciliation tries them again. */
  faults: SyncTarget[];
  /** The number of webhooks that we asked GitHub to redeliver. */
  redelivered: number;
  /** The number of webhooks that never arrived although GitHub redelivered them, by installation. */
  missed: Record<string, number>;
  /** The next reconciliation looks for failed deliveries from this time on (RFC 3339). */
  deliveriesFrom: string;
  /**
   * A success that no record explains is forged from this time on (RFC 3339): the end of the first round without a
   * fault other than a missing permission, or a day after the first round.
   */
  explainsFrom: string;
  /** Milliseconds. */
  took: number;
};

/** Lets one of all processes and commands sweep at a time. */
export type SweepTurns = {
  /** Waits for the turn, and holds it during the work. */
  during<T>(work: () => Promise<T>): Promise<T>;
};

export type ReconcileReports = {
  /** The newest report, and when it was saved; null if there is none. */
  latest(): Promise<{ at: Date; report: ReconcileReport } | null>;
  save(report: ReconcileReport): Promise<void>;
};
