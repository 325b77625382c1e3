/** A webhook as it came: GitHub's delivery id and event name, its signature, and the bytes that it signs. */
export type Delivery = { id: string; event: string; signature: string; body: string };

export type Received =
  | { outcome: 'refused' }
  /** It was worked through before. */
  | { outcome: 'known' }
  /** `work` resolves when it is worked through, also where that failed. */
  | { outcome: 'accepted'; work: Promise<void> };

export type Receive = (delivery: Delivery) => Promise<Received>;

/** Webhook deliveries that were worked through, by GitHub's delivery id. */
export type Deliveries = {
  isDone(guid: string): Promise<boolean>;
  done(guid: string, event: string): Promise<void>;
};
