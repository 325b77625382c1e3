import { jest } from '@jest/globals';

/** Fakes the date and leaves every timer as it is; `jest.setSystemTime` moves it, `jest.useRealTimers` ends it. */
export function fakeDate(): void {
  const timers = ['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'setTimeout'] as const;
  const others = ['clearTimeout', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const;
  jest.useFakeTimers({ now: Date.now(), doNotFake: [...timers, ...others] });
}
