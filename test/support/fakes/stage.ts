import { randomBytes } from 'node:crypto';
import type { ProblemCode } from '../../../src/contract/problems.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import type { Clock } from '../../../src/shared/clock.ts';

/** Makes a call of a fake fail, before or after its effect. */
type Fault = { call: string; error: Error; when: 'before' | 'after' };

/** The calls that can fail: the methods of every fake that was made, and what was played under a name of its own. */
const known = new Set<string>();

/**
 * Every call of a fake goes through the stage, under a name like
 * `checkRunRecords.claim`: a test can make it fail, hold it, and see what was called.
 */
export class Stage {
  readonly calls: string[] = [];
  readonly #faults: Fault[] = [];
  /** Awaited before and after the effect of each call. */
  gate: (call: string) => Promise<void> = async () => undefined;

  /** Makes the next `times` calls of this name fail. @throws Error if no fake has such a call. */
  fail(
    call: string,
    fault: Error | ProblemCode,
    options: { when?: Fault['when']; times?: number } = {},
  ): void {
    const { when = 'before', times = 1 } = options;
    if (!known.has(call)) throw new Error(`no fake has the call ${call}`);
    const error = typeof fault === 'string' ? new AppError(fault) : fault;
    for (let count = 0; count < times; count += 1) this.#faults.push({ call, error, when });
  }

  /** Takes back the failures that haven't happened yet. */
  heal(): void {
    this.#faults.splice(0);
  }

  /** A call that no class of a fake has, under this name. */
  call<T>(name: string, work: () => T | Promise<T>): () => Promise<T> {
    known.add(name);
    return () => this.play(name, work);
  }

  async play<T>(call: string, work: () => T | Promise<T>): Promise<T> {
    known.add(call);
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

/** The time at which each fake clock starts. */
export const START = '2026-05-04T12:00:00Z';

/** Time stands still until a test moves it. */
export class FakeClock implements Clock {
  #now: number;
  #elapsed = 0;
  constructor(now = Date.parse(START)) {
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
  /** A person sets the time ahead, or back; none passes. */
  set(ms: number): void {
    this.#now += ms;
  }
}

type Class = { name: string; prototype: object };
type Method = (this: Fake, ...input: unknown[]) => Promise<unknown>;

const isAsync = (value: unknown): value is Method => (value as object).constructor.name === 'AsyncFunction';
const staged = new Set<Class>();

/** Lets every call of the class's async methods go through the stage, under the names of the fake and the method. */
function stageMethods(from: Class): void {
  staged.add(from);
  let fake = from;
  while (!fake.name.startsWith('Fake')) fake = Object.getPrototypeOf(fake);
  const port = `${fake.name.charAt(4).toLowerCase()}${fake.name.slice(5)}`;
  const methods = from.prototype as Record<string, Method>;
  for (const method of Object.getOwnPropertyNames(methods)) {
    const work = methods[method];
    if (!isAsync(work)) continue;
    known.add(`${port}.${method}`);
    methods[method] = function (...input) {
      return this.stage.play(`${port}.${method}`, () => work.apply(this, input));
    };
  }
}

/** A fake of a port: its async methods are the port's calls. */
export class Fake {
  readonly stage: Stage;
  constructor(stage: Stage) {
    this.stage = stage;
    for (let at: Class = this.constructor; at !== Fake && !staged.has(at); at = Object.getPrototypeOf(at))
      stageMethods(at);
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
