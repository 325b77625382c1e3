/** A webhook as received: GitHub's delivery id and event name, its signature, and the bytes that were signed. */
export type Delivery = { id: string; event: string; signature: string; body: string };

type Received =
  | { outcome: 'refused' }
  /** The webhook was processed before. */
  | { outcome: 'duplicate' }
  /**
   * `work` resolves when the webhook is processed, with false if that failed. If
   * the webhook is irreplaceable, nothing but a redelivery can make up for a
   * failure, so GitHub has to learn of it.
   */
  | { outcome: 'accepted'; work: Promise<boolean>; isIrreplaceable: boolean };

export type ReceiveWebhook = (delivery: Delivery) => Promise<Received>;

/** Processed webhooks, by GitHub's delivery id. */
export type WebhookDeliveries = {
  isProcessed(guid: string): Promise<boolean>;
  markProcessed(guid: string, event: string, installation: number): Promise<void>;
  /** When a webhook of this installation, or of any, was last processed; null if there was none. */
  lastProcessedAt(installation?: number): Promise<Date | null>;
};
