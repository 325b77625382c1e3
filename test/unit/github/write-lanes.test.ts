import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createWriteLanes } from '../../../src/github/write-lanes.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Lanes that note the writes that left them; `write` answers whether one did in its time. */
function lanes() {
  const send = createWriteLanes();
  const sent: string[] = [];
  const write = (name: string, lane: 'normal' | 'express' = 'normal', installation = 1) =>
    send({ installation, lane }, async () => void sent.push(name)).then(
      () => true,
      () => false,
    );
  return { sent, write };
}

/** As many as a lane takes in a minute. */
const burst = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);

describe('a lane of writes that is used up', () => {
  it('never sends a write that waited too long, and sends the next ones a minute later', async () => {
    const { sent, write } = lanes();
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

  it('holds up neither what is urgent nor another installation', async () => {
    const { sent, write } = lanes();
    const first = burst(51).map((name) => write(name));
    const others = Promise.all([write('urgent', 'express'), write('elsewhere', 'normal', 2)]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await others).toEqual([true, true]);
    expect(sent).toHaveLength(52);
    await jest.advanceTimersByTimeAsync(21_000);
    expect((await Promise.all(first)).filter((isSent) => !isSent)).toHaveLength(1);
  });
});
