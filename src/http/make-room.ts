/** A webhook whose payload is being read, or was read and isn't answered yet. */
export type Intake = {
  /** The address of the client; all addresses of one IPv6 network count as one. */
  sender: string;
  /** In bytes. */
  received: number;
  /** By `performance.now()`. */
  beganAt: number;
  /** The payload arrived, and its signature is checked next. */
  isComplete: boolean;
  drop(): void;
};

/**
 * Drops payloads until what is held fits. A sender that holds more than its
 * share drops its own slowest. If all together hold too much, the sender that
 * holds the most does, so that many large payloads can't displace a small one.
 */
export function makeRoom(
  intakes: Set<Intake>,
  sender: string,
  limits: { totalBytes: number; bytesPerSender: number },
): void {
  for (;;) {
    const heldBy = bytesBySender(intakes);
    const total = [...heldBy.values()].reduce((sum, bytes) => sum + bytes, 0);
    const isOverShare = (heldBy.get(sender) ?? 0) > limits.bytesPerSender;
    if (!isOverShare && total <= limits.totalBytes) return;
    const droppable = [...intakes].filter(({ isComplete, received }) => !isComplete && received > 0);
    const from = isOverShare ? sender : largestOf(bytesBySender(droppable));
    const slowest = slowestOf(droppable.filter((intake) => intake.sender === from));
    if (!slowest) return;
    slowest.drop();
  }
}

function bytesBySender(intakes: Iterable<Intake>): Map<string, number> {
  const heldBy = new Map<string, number>();
  for (const { sender, received } of intakes) heldBy.set(sender, (heldBy.get(sender) ?? 0) + received);
  return heldBy;
}

function largestOf(heldBy: Map<string, number>): string | undefined {
  return [...heldBy].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function slowestOf(intakes: Intake[]): Intake | undefined {
  const now = performance.now();
  const pace = ({ received, beganAt }: Intake) => received / (now - beganAt);
  return intakes.sort((a, b) => pace(a) - pace(b))[0];
}
