import pLimit, { type LimitFunction } from 'p-limit';

/** One lane for each key, in which so much work runs at once. The rest waits in its order. */
export function createLanes<Key>(atOnce: number): (key: Key) => LimitFunction {
  const lanes = new Map<Key, LimitFunction>();
  return (key) => {
    const lane = lanes.get(key) ?? pLimit(atOnce);
    lanes.set(key, lane);
    return lane;
  };
}
