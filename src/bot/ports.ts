/** Webhook deliveries that were worked through, by GitHub's delivery id. */
export type Deliveries = {
  isDone(guid: string): Promise<boolean>;
  done(guid: string, event: string): Promise<void>;
};
