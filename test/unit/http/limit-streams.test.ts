import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { RequestHandler } from 'express';
import { limitStreams } from '../../../src/http/record-api/limit-streams.ts';
import { AppError } from '../../../src/shared/app-error.ts';

/** Opens a stream. Returns what ends it, or the error. */
function open(handler: RequestHandler, ip: string | undefined): EventEmitter | AppError {
  const response = Object.assign(new EventEmitter(), { destroy: () => response.emit('close') });
  try {
    let isPassed = false;
    const next = () => (isPassed = true);
    void handler({ ip } as never, response as never, next);
    if (!isPassed) throw new Error('neither passed nor refused');
    return response;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const many = (handler: RequestHandler, count: number, ip: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => open(handler, ip(at)));
const opened = (all: (EventEmitter | AppError)[]) => all.filter((one) => one instanceof EventEmitter);

describe('realtime streams', () => {
  afterEach(() => void jest.useRealTimers());

  it('end after a minute, so that the memberships of their listeners are checked again', () => {
    jest.useFakeTimers();
    const destroy = jest.fn();
    const response = Object.assign(new EventEmitter(), { destroy });
    void limitStreams()({ ip: '192.0.2.1' } as never, response as never, () => undefined);
    jest.advanceTimersByTime(59_999);
    expect(destroy).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(destroy).toHaveBeenCalledTimes(1);
  });

  it('are limited to two hundred per address, without limiting other addresses', () => {
    const handler = limitStreams();
    const all = many(handler, 205, () => '192.0.2.1');
    expect(opened(all)).toHaveLength(200);
    expect(all.at(-1)).toMatchObject({ code: 'tooManyRequests', status: 429, retryAfter: 60 });
    expect(open(handler, '192.0.2.2')).toBeInstanceOf(EventEmitter);
    expect(open(handler, undefined)).toBeInstanceOf(EventEmitter);
  });

  it('count all addresses of one IPv6 network as one', () => {
    const handler = limitStreams();
    const all = many(handler, 205, (at) => `2001:db8:0:${(at % 256).toString(16)}::${at.toString(16)}`);
    expect(opened(all)).toHaveLength(200);
    expect(open(handler, '2001:db8:0:100::1')).toBeInstanceOf(EventEmitter);
  });

  it('are limited to two thousand in total', () => {
    const handler = limitStreams();
    expect(opened(many(handler, 2_010, (at) => `192.0.2.${at % 50}`))).toHaveLength(2_000);
    expect(open(handler, '198.51.100.1')).toMatchObject({ code: 'tooManyRequests' });
  });

  it('make room for another stream when they end', () => {
    const handler = limitStreams();
    const [first] = opened(many(handler, 200, () => '192.0.2.1'));
    first?.emit('close');
    first?.emit('close');
    expect(open(handler, '192.0.2.1')).toBeInstanceOf(EventEmitter);
    expect(open(handler, '192.0.2.1')).toMatchObject({ code: 'tooManyRequests' });
  });
});
