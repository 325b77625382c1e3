import { randomBytes } from 'node:crypto';
import type { ProblemCode } from '../../../src/contract/problems.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import type { Clock } from '../../../src/shared/clock.ts';

/** Makes a call of a fake fail, before or after its effect. */
type Fault = { call: string; error: Error; when: 'before' | 'after' };

/**
 * Every call of a fake goes through the stage, under a name like
 * `checkRunRecords.claim`: a test can make it fail, hold it, and see what was called.
 */
export class Stage {
  readonly calls: string[] = [];
  readonly #faults: Fault[] = [];
  /** Awaited before and after the effect of each call. */
  gate: (call: string) => Promise<void> = async () => undefined;

  /** Makes the next `times` calls of this name fail. */
  fail(
    call: string,
    fault: Error | ProblemCode,
    options: { when?: Fault['when']; times?: number } = {},
  ): void {
    const { when = 'before', times = 1 } = options;
    const error = typeof fault === 'string' ? new AppError(fault) : fault;
    for (let count = 0; count < times; count += 1) this.#faults.push({ call, error, when });
  }

  /** Takes back the failures that haven't happened yet. */
  heal(): void {
    this.#faults.splice(0);
  }

  async play<T>(call: string, work: () => T | Promise<T>): Promise<T> {
    this.calls.push(call);
    const at = this.#faults.findIndex((fault) => fault.call === call);
    const [fault] = at < 0 ? [] : this.#faults.splice(at, 1);
    await this.gate(call);
    if (fault?.when === 'before') throw fault.error;
    const result = await work();
    await this.gate(`${call} answered`);
    if (fault) throw fault.error;
    return result;
  }
}

/** Time stands still until a test moves it. */
export class FakeClock implements Clock {
  #now: number;
  #elapsed = 0;
  constructor(now = Date.parse('2026-05-04T12:00:00Z')) {
    this.#now = now;
  }
  now(): Date {
    return new Date(this.#now);
  }
  elapsed(): number {
    return this.#elapsed;
  }
  pass(ms: number): void {
    this.#now += ms;
    this.#elapsed += ms;
  }
  /** Somebody sets the time ahead, or back; none passes. */
  set(ms: number): void {
    this.#now += ms;
  }
}

type Method = (...input: unknown[]) => Promise<unknown>;

const isAsync = (value: unknown): value is Method => (value as object).constructor.name === 'AsyncFunction';

/** A fake of a port: every async method is a call, which goes through the stage under the names of both. */
export class Fake {
  readonly stage: Stage;
  constructor(stage: Stage) {
    this.stage = stage;
    const classes: { name: string; prototype: object }[] = [];
    for (let at = this.constructor; at !== Fake; at = Object.getPrototypeOf(at)) classes.push(at);
    const { name = '' } = classes.find(({ name }) => name.startsWith('Fake')) ?? {};
    const port = `${name.charAt(4).toLowerCase()}${name.slice(5)}`;
    const methods = this as unknown as Record<string, Method>;
    for (const method of classes.flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype))) {
      const work = methods[method];
      if (!isAsync(work)) continue;
      methods[method] = (...input) => stage.play(`${port}.${method}`, () => work.apply(this, input));
    }
  }
}

export class TimedFake extends Fake {
  readonly clock: Clock;
  constructor(stage: Stage, clock: Clock) {
    super(stage);
    this.clock = clock;
  }
}

export const recordId = () => randomBytes(8).toString('hex').slice(0, 15);
