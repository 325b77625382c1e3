import { jest } from '@jest/globals';

/** Fakes the date and leaves every timer as it is; `jest.setSystemTime` moves it, `jest.useRealTimers` ends it. */
export function fakeDate(): void {
  jest.useFakeTimers({
    now: Date.now(),
    doNotFake: [
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'setTimeout',
      'clearTimeout',
    ],
  });
}
