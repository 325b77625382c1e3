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
  /** Refuses the payload, and removes it from the room. */
  drop(): void;
};

/** What is held of payloads at the same time. */
export type Room = ReturnType<typeof createRoom>;

/**
 * Drops payloads until what is held fits. A sender that holds more than its
 * share drops its own slowest. If all together hold too much, the sender that
 * holds the most does, so that many large payloads can't displace a small one.
 */
export function createRoom(limits: { totalBytes: number; bytesPerSender: number }) {
  const intakes = new Set<Intake>();
  // Sums that are kept, because each of thousands of connections can send its payload in tiny pieces.
  const heldBy = new Map<string, number>();
  let total = 0;

  const count = (sender: string, bytes: number) => {
    const held = (heldBy.get(sender) ?? 0) + bytes;
    if (held === 0) heldBy.delete(sender);
    else heldBy.set(sender, held);
    total += bytes;
  };

  const makeRoom = (sender: string) => {
    for (;;) {
      const isOverShare = (heldBy.get(sender) ?? 0) > limits.bytesPerSender;
      if (!isOverShare && total <= limits.totalBytes) return;
      const droppable = [...intakes].filter(({ isComplete, received }) => !isComplete && received > 0);
      const from = isOverShare ? sender : largestSender(droppable);
      const slowest = slowestOf(droppable.filter((intake) => intake.sender === from));
      if (!slowest) return;
      slowest.drop();
    }
  };

  return {
    add: (intake: Intake) => void intakes.add(intake),

    /** Counts a piece of a payload, unless the payload was dropped. */
    receive(intake: Intake, bytes: number): void {
      if (!intakes.has(intake)) return;
      intake.received += bytes;
      count(intake.sender, bytes);
      makeRoom(intake.sender);
    },

    remove(intake: Intake): void {
      if (intakes.delete(intake)) count(intake.sender, -intake.received);
    },
  };
}

function largestSender(intakes: Intake[]): string | undefined {
  const heldBy = new Map<string, number>();
  for (const { sender, received } of intakes) heldBy.set(sender, (heldBy.get(sender) ?? 0) + received);
  return [...heldBy].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function slowestOf(intakes: Intake[]): Intake | undefined {
  const now = performance.now();
  const pace = ({ received, beganAt }: Intake) => received / (now - beganAt);
  return intakes.sort((a, b) => pace(a) - pace(b))[0];
}
