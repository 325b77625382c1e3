import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createWriteQueues } from '../../../src/github/write-queues.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Queues that record what they sent; `write` resolves with whether the write was sent in time. */
function queues() {
  const send = createWriteQueues();
  const sent: string[] = [];
  const write = (name: string, priority: 'normal' | 'express' = 'normal', installation = 1) =>
    send({ installation, priority }, async () => void sent.push(name)).then(
      () => true,
      () => false,
    );
  return { sent, write };
}

const burst = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);

describe('a queue of writes that has sent all it may in this minute', () => {
  it('drops a write that waited too long, and sends the next ones a minute later', async () => {
    const { sent, write } = queues();
    const first = Promise.all(burst(50).map((name) => write(name)));
    const late = write('late');
    await jest.advanceTimersByTimeAsync(21_000);
    expect(await first).not.toContain(false);
    expect(await late).toBe(false);
    await jest.advanceTimersByTimeAsync(60_000);
    const next = write('next');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await next).toBe(true);
    expect(sent).toEqual([...burst(50), 'next']);
  });

  it('delays neither express writes nor those of another installation', async () => {
    const { sent, write } = queues();
    const first = burst(51).map((name) => write(name));
    const others = Promise.all([write('urgent', 'express'), write('elsewhere', 'normal', 2)]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await others).toEqual([true, true]);
    expect(sent).toHaveLength(52);
    await jest.advanceTimersByTimeAsync(21_000);
    expect((await Promise.all(first)).filter((isSent) => !isSent)).toHaveLength(1);
  });
});
