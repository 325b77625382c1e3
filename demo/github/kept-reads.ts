import type { RequestHandler } from 'express';

/** Keeps what was read until something may have changed it. */
export type KeptReads<T> = {
  /** The value that was kept for `key`, or that `read` finds now. */
  get(key: string, read: () => Promise<T>): Promise<T>;
  /** Forgets everything, now and when the returned function is called. What is read in between isn't kept. */
  beginWrite(): () => void;
};

/** @param isWorthKeeping False for a failure, which may not happen again. */
export function createKeptReads<T>(isWorthKeeping: (value: T) => boolean): KeptReads<T> {
  const kept = new Map<string, Promise<T>>();
  let writing = 0;
  return {
    get(key, read) {
      const found = kept.get(key);
      if (found !== undefined) return found;
      const reading = read();
      if (writing > 0) return reading;
      kept.set(key, reading);
      const drop = () => {
        if (kept.get(key) === reading) kept.delete(key);
      };
      reading.then((value) => isWorthKeeping(value) || drop(), drop);
      return reading;
    },
    beginWrite() {
      writing += 1;
      kept.clear();
      return () => {
        writing -= 1;
        kept.clear();
      };
    },
  };
}

/** For requests that reach the emulator without its client: forgets what was read when one of them may write. */
export function forgetOnWrite(emulator: { beginWrite(path: string): () => void }): RequestHandler {
  return (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') res.once('close', emulator.beginWrite(req.url));
    next();
  };
}
