import type { HeadDeps } from '../deps.ts';
import type { SyncTarget } from '../sync-target.ts';
import type {
  OpenHeads,
  ProcessedDeliveries,
  ReconcileReports,
  SentWebhooks,
  UnheardChanges,
} from './ports.ts';

/** Everything that it takes to compare heads and webhooks with GitHub. */
export type ReconcileDeps = HeadDeps & {
  openHeads: OpenHeads;
  /**
   * The time at which GitHub renews an installation's budget, if background work has too little left; null if it has
   * enough.
   */
  backgroundBudget: { lowUntil(installation: number): Date | null };
  unheardChanges: UnheardChanges;
  sentWebhooks: SentWebhooks;
  deliveries: ProcessedDeliveries;
  /** Tells whether the product acts on webhooks of this kind. */
  isHandled(webhook: { event: string; action: unknown }): boolean;
  /** Tells whether reading from GitHub can't make up for a webhook of this kind. */
  isIrreplaceable(webhook: { event: string; action: unknown }): boolean;
  reconcileReports: ReconcileReports;
  /** Since when this process receives webhooks; undefined if it doesn't. */
  listeningSince?: Date | undefined;
  /** Called once for each forged run, in one of all processes. */
  onForgedCheck(target: SyncTarget): void;
};
