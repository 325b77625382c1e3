/** A webhook as received: GitHub's delivery id and event name, its signature, and the bytes that were signed. */
export type Delivery = {
  id: string;
  event: string;
  signature: string;
  body: string;
  /** Called once the signature is valid. */
  onSigned?(): void;
};

export type Received =
  /** The signature isn't valid. */
  | { outcome: 'refused' }
  /** GitHub sends no such webhook: its id, its event's name or its payload has another form. */
  | { outcome: 'malformed' }
  /** Nothing in the product acts on it. */
  | { outcome: 'ignored' }
  /** The webhook was processed before. */
  | { outcome: 'duplicate' }
  /**
   * The webhook's arrival is stored. `work` resolves when it is processed, with false if that failed. If
   * the webhook is irreplaceable, nothing but a redelivery can make up for a
   * failure, so GitHub has to learn of it.
   */
  | { outcome: 'accepted'; work: Promise<boolean>; isIrreplaceable: boolean };

export type ReceiveWebhook = (delivery: Delivery) => Promise<Received>;

/** The webhooks that arrived, by GitHub's delivery id. */
export type WebhookDeliveries = {
  /** Stores that a webhook arrived. True if it was processed before. */
  receive(guid: string, event: string, installation: number): Promise<boolean>;
  isProcessed(guid: string): Promise<boolean>;
  markProcessed(guid: string, event: string, installation: number): Promise<void>;
  /** The time at which a webhook of this installation, or of any, last arrived; null if none did. */
  lastReceivedAt(installation?: number): Promise<Date | null>;
};
