import Bottleneck from 'bottleneck';

/**
 * GitHub asks Apps for at most 80 writes that create content in a minute
 * (docs.github.com, "Rate limits for the REST API"). Some are kept for what
 * cannot wait behind a burst of new pull requests: an approval that completes
 * its check, and a head whose green check has to be taken away.
 */
const A_MINUTE = { express: 30, normal: 50 };

export type Lane = keyof typeof A_MINUTE;

export type WriteLimits = {
  /** So many writes go out each time that a lane is refilled. */
  perRefill: Record<Lane, number>;
  refillMs: number;
  /** A write that has not left its lane by then is not sent any more: another may have done it since. */
  patienceMs: number;
};

const LIMITS: WriteLimits = { perRefill: A_MINUTE, refillMs: 60_000, patienceMs: 20_000 };

/**
 * Sends writes, each installation's in lanes of its own. The signal ends with the
 * time that a write has, in the lane and on the way.
 */
export function createWriteLanes(limits: Partial<WriteLimits> = {}) {
  const { perRefill, refillMs, patienceMs } = { ...LIMITS, ...limits };
  const lanes = new Map<string, Bottleneck>();
  const laneOf = (installation: number, lane: Lane): Bottleneck => {
    const key = `${installation}:${lane}`;
    const known = lanes.get(key);
    if (known) return known;
    const made = new Bottleneck({
      maxConcurrent: 5,
      reservoir: perRefill[lane],
      reservoirRefreshAmount: perRefill[lane],
      reservoirRefreshInterval: refillMs,
    });
    lanes.set(key, made);
    return made;
  };

  return async function send<T>(
    { installation, lane }: { installation: number; lane: Lane },
    write: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const late = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const end = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        late.abort();
        reject(new Error('there was no time for this write'));
      }, patienceMs);
    });
    const sent = laneOf(installation, lane).schedule(async () => {
      late.signal.throwIfAborted();
      return write(late.signal);
    });
    // Whoever waited has gone when it is too late.
    sent.catch(() => undefined);
    try {
      return await Promise.race([sent, end]);
    } finally {
      clearTimeout(timer);
    }
  };
}
