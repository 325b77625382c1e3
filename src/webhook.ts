/** A webhook as it came: GitHub's delivery id and event name, its signature, and the bytes that it signs. */
export type Delivery = { id: string; event: string; signature: string; body: string };

export type Received =
  | { outcome: 'refused' }
  /** It was worked through before. */
  | { outcome: 'known' }
  /**
   * `work` resolves when it is worked through, with false where that failed.
   * `isOwed` where nothing but this delivery could bring it back: then the
   * sender has to hear how it went.
   */
  | { outcome: 'accepted'; work: Promise<boolean>; isOwed: boolean };

export type Receive = (delivery: Delivery) => Promise<Received>;

/** Webhook deliveries that were worked through, by GitHub's delivery id. */
export type Deliveries = {
  isDone(guid: string): Promise<boolean>;
  done(guid: string, event: string, installation: number): Promise<void>;
  /** When the last one of this installation was; null where there was none. */
  last(installation: number): Promise<Date | null>;
};
