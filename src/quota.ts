/** A limit on how often something may happen in a period, shared by all processes. */
export type Quota = {
  /** Takes one of `most` slots for `ms`. Returns the time when the next slot is free if all are taken. */
  take(key: string, rule: { most: number; ms: number }, now: Date): Promise<QuotaSlot | Date>;
};

/** A taken slot. Release it if the work it was taken for failed. */
export type QuotaSlot = { release(): Promise<void> };
