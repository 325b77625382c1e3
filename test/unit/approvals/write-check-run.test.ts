import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { readRun } from '../../../src/approvals/check-run/run.ts';
import { type DesiredRun, writeCheckRun } from '../../../src/approvals/check-run/write.ts';
import type { CheckRunContent } from '../../../src/approvals/ports.ts';
import type { Checkpoint } from '../../../src/audit/ports.ts';
import { codeOf } from '../../support/code-of.ts';
import { fakeTimers, HEAD_REF, watchPriorities, watchUpdates, world as wholeWorld } from './world.ts';

const DAY = 24 * 60 * 60 * 1000;
const MINUTE = 60 * 1000;

const text = { detailsUrl: 'https://guard.example.org/', title: 'T', summary: 'S' };
const WAITS: CheckRunContent = { status: 'in_progress', ...text };
const PASSES: CheckRunContent = { status: 'completed', conclusion: 'success', ...text };
const FAILS: CheckRunContent = { status: 'completed', conclusion: 'failure', ...text };

function world() {
  const deps = wholeWorld();
  const known = () => deps.checkRunRecords.latest(HEAD_REF.repoId, HEAD_REF.head);
  /** Writes with the current run, unless the test passes another. */
  const ensure = async (content: CheckRunContent, wish: Partial<DesiredRun> = {}) => {
    const run = wish.run === undefined ? await known() : wish.run;
    const fingerprint = content.conclusion ?? '';
    const plain = {
      headRef: HEAD_REF,
      content,
      readFrom: deps.clock.now(),
      fingerprint,
      reason: 'webhook',
    } as const;
    return writeCheckRun(deps, { ...plain, ...wish, run });
  };
  return {
    ...deps,
    known,
    updated: watchUpdates(deps.checkRuns),
    ensure,
    /** Like a sync: a pending run that is to succeed is completed with the next call. */
    async ensureAll(content: CheckRunContent, wish: Partial<DesiredRun> = {}) {
      const outcome = await ensure(content, wish);
      return outcome === 'pending' ? [outcome, await ensure(content)] : [outcome];
    },
    statuses: () => deps.checkRuns.created.map(({ content }) => content.status),
  };
}

beforeEach(fakeTimers);
afterEach(() => void jest.useRealTimers());

describe('a new run instead of an old one', () => {
  it('is created as pending and completed with the next call, never created as a success', async () => {
    const w = world();
    expect(await w.ensure(PASSES)).toBe('pending');
    expect(w.checkRuns.created.map(({ content }) => content)).toEqual([{ ...WAITS, title: 'One moment' }]);
    expect(await w.ensure(PASSES)).toBe('written');
    expect(w.writes()).toEqual(['checkRuns.create', 'checkRuns.update']);
    expect(w.checkRuns.created.map(({ content }) => content)).toEqual([PASSES]);
  });

  it('is pending if the success it was created for no longer holds', async () => {
    const w = world();
    await w.ensure(PASSES);
    expect([await w.ensure(WAITS), w.checkRuns.created.at(-1)?.content]).toEqual(['written', WAITS]);
    expect(w.checkRuns.created.map(({ content }) => content.conclusion)).not.toContain('success');
  });
});

describe('a run whose text GitHub refuses', () => {
  const minimal = (title: string, content: object = {}) => ({
    title,
    summary: expect.stringMatching(/^GitHub refused the full text of this check\./),
    ...content,
  });

  it('is written with a minimal text, which has no link', async () => {
    const w = world();
    w.checkRuns.refuses = ({ detailsUrl }) => detailsUrl !== undefined;
    expect(await w.ensureAll(FAILS)).toEqual(['first']);
    expect(w.checkRuns.created.map(({ content }) => content)).toEqual([
      minimal('May not merge', { status: 'completed', conclusion: 'failure' }),
    ]);
    expect(await w.ensureAll(PASSES)).toEqual(['written']);
    expect(w.checkRuns.created.map(({ content }) => content)).toEqual([
      minimal('Approved', { status: 'completed', conclusion: 'success' }),
    ]);
  });

  it('keeps the log, unless GitHub refuses that too', async () => {
    const w = world();
    w.auditLog.checkpoint = { size: 1, note: 'note\n' } as Checkpoint;
    const written = async (refuses: typeof w.checkRuns.refuses) => {
      w.checkRuns.refuses = refuses;
      await w.ensure(FAILS, { run: null, fingerprint: String(refuses) });
      return w.checkRuns.created.at(-1)?.content.log;
    };
    expect(await written(({ detailsUrl }) => detailsUrl !== undefined)).toContain('note');
    w.checkRunRecords.records.splice(0);
    expect(await written(({ log }) => log !== undefined)).toBeUndefined();
  });

  it('is an error if GitHub refuses even the minimal text', async () => {
    const w = world();
    w.checkRuns.refuses = () => true;
    expect(await codeOf(w.ensure(WAITS))).toBe('githubUnavailable');
  });

  it.each([
    ['in a new run if it waits', WAITS, ['checkRuns.create']],
    ['in the same run if it is completed', PASSES, ['checkRuns.update']],
  ])('gets its whole text an hour later, %s', async (_how, content, writes) => {
    const w = world();
    w.checkRuns.refuses = ({ detailsUrl }) => detailsUrl !== undefined;
    await w.ensureAll(content);
    w.stage.calls.splice(0);
    w.clock.pass(59 * MINUTE);
    await w.ensureAll(content);
    expect(w.writes()).toEqual([]);
    w.checkRuns.refuses = () => false;
    w.clock.pass(MINUTE);
    await w.ensureAll(content);
    expect([w.writes(), w.checkRuns.created.at(-1)?.content]).toEqual([writes, content]);
    w.clock.pass(DAY);
    expect(await w.ensure(content)).toBe('unchanged');
  });
});

describe('a run that GitHub has and the record store does not', () => {
  const forgotten = async (content: CheckRunContent) => {
    const w = world();
    await w.ensureAll(content);
    w.checkRunRecords.records.splice(0);
    w.stage.calls.splice(0);
    w.updated.splice(0);
    return w;
  };

  it.each(Object.entries({ 'a waiting one': WAITS, 'a failure': FAILS, 'a success': PASSES }))(
    'is used as it is if it says the same: %s',
    async (_which, content) => {
      const w = await forgotten(content);
      await w.ensureAll(content, { reason: 'repair' });
      expect(w.writes()).toEqual([]);
      expect(await w.known()).toMatchObject({ attempt: 1, checkRunId: w.checkRuns.created[0]?.id });
    },
  );

  it('gets a newer run if it waits with a link from before a rename', async () => {
    const w = await forgotten(WAITS);
    const detailsUrl = 'https://guard.example.org/collect?repo=renamed';
    expect(await w.ensure({ ...WAITS, detailsUrl }, { reason: 'repair' })).toBe('first');
    const links = w.checkRuns.created.map(({ content }) => content.detailsUrl);
    expect(links).toEqual([WAITS.detailsUrl, detailsUrl]);
  });

  it('is completed if it is pending and should be a success', async () => {
    const w = await forgotten(WAITS);
    await w.ensureAll(PASSES, { reason: 'repair' });
    // Reused as pending first, then completed with the next call.
    expect([w.writes(), w.statuses()]).toEqual([['checkRuns.update', 'checkRuns.update'], ['completed']]);
  });

  it.each<[string, CheckRunContent, CheckRunContent]>([
    ['a success that should wait', PASSES, WAITS],
    ['a success that should be a failure', PASSES, FAILS],
    ['a failure that should be a success', FAILS, PASSES],
  ])('stays as it is and gets a newer run if it is %s', async (_what, has, should) => {
    const w = await forgotten(has);
    await w.ensureAll(should, { reason: 'repair' });
    expect(w.writes().filter((call) => call === 'checkRuns.create')).toHaveLength(1);
    expect(w.updated).toEqual(should === PASSES ? [w.checkRuns.created[1]?.id] : []);
    const conclusions = w.checkRuns.created.map(({ content }) => content.conclusion);
    expect(conclusions).toEqual([has.conclusion, should.conclusion]);
  });

  it('is not looked for if a run is known', async () => {
    const w = world();
    await w.ensure(WAITS);
    await w.ensure(WAITS, { reason: 'repair' });
    await w.ensure(PASSES, { reason: 'repair' });
    expect(w.stage.calls).not.toContain('checkRuns.findNewest');
  });

  it('is looked for again if GitHub did not answer', async () => {
    const w = await forgotten(PASSES);
    w.stage.fail('checkRuns.findNewest', 'githubUnavailable');
    expect(await codeOf(w.ensure(WAITS, { reason: 'repair' }))).toBe('githubUnavailable');
    // The attempt was given up, so the next one looks too.
    await w.ensure(WAITS);
    expect(w.stage.calls.filter((call) => call === 'checkRuns.findNewest')).toHaveLength(2);
    expect(w.statuses()).toEqual(['completed', 'in_progress']);
  });
});

describe('a run that gets old', () => {
  it('is replaced each time it has waited for 13 days', async () => {
    const w = world();
    await w.ensure(WAITS);
    w.clock.pass(13 * DAY + MINUTE);
    expect(await w.ensure(WAITS)).toBe('written');
    expect(w.writes()).toEqual(['checkRuns.create', 'checkRuns.create']);
    w.clock.pass(13 * DAY - MINUTE);
    expect(await w.ensure(WAITS)).toBe('unchanged');
    w.clock.pass(2 * MINUTE);
    expect(await w.ensure(WAITS)).toBe('written');
  });

  it('is never replaced once it is completed', async () => {
    const w = world();
    await w.ensureAll(PASSES);
    w.clock.pass(400 * DAY);
    expect(await w.ensure(PASSES)).toBe('unchanged');
    expect(w.statuses()).toHaveLength(1);
  });
});

describe('a request to GitHub about a run', () => {
  it('is never about the run of an attempt that was given up, which has no id', async () => {
    const w = world();
    w.stage.fail('checkRuns.create', 'githubUnavailable');
    expect(await codeOf(w.ensure(WAITS))).toBe('githubUnavailable');
    await w.ensureAll(PASSES);
    expect(w.updated).not.toContain(0);
  });

  it('is sent before all others only if it takes a success away, or may have failed to', async () => {
    const w = world();
    const priorities = watchPriorities(w.checkRuns);
    const fail = () => w.stage.fail('checkRuns.create', 'githubUnavailable');
    // A burst of new pull requests that fail is still no reason to go first.
    fail();
    await codeOf(w.ensure(WAITS));
    await w.ensure(WAITS);
    await w.ensureAll(PASSES);
    fail();
    await codeOf(w.ensure(WAITS));
    await w.ensure(WAITS);
    await w.ensure(WAITS, { replaceAttempt: w.checkRunRecords.records.length });
    expect(priorities).toEqual(['other', 'other', 'takeAway', 'takeAway', 'other']);
  });
});

describe('a success', () => {
  it('is superseded if another process created a newer run while GitHub answered', async () => {
    const w = world();
    await w.ensure(WAITS);
    w.stage.gate = async (call) => {
      if (call === 'checkRuns.update') await w.checkRunRecords.claim(HEAD_REF.repoId, HEAD_REF.head, 2);
    };
    expect(await w.ensure(PASSES)).toBe('lost');
  });

  it.each([
    ['that a person waits for goes before others', 'approval', 'approval'],
    ['that nobody waits for goes before new runs', 'webhook', 'completion'],
    ['of a head that no open pull request has can wait', 'precaution', 'other'],
  ] as const)('%s', async (_what, reason, expected) => {
    const w = world();
    await w.ensure(WAITS);
    const priorities = watchPriorities(w.checkRuns, 'update');
    await w.ensure(PASSES, { reason });
    expect(priorities).toEqual([expected]);
  });
});

describe('a verdict that got old before GitHub has it', () => {
  it.each<[string, CheckRunContent, Partial<Record<'pass' | 'set', number>>, string]>([
    ['a success is not written', PASSES, { pass: 60_000 }, 'in_progress'],
    ['nor if the clock was set back, which hides its age', PASSES, { set: -60 * 60_000 }, 'in_progress'],
    ['a failure still counts', FAILS, { pass: 60_000 }, 'completed'],
    ['a success that is a little younger still counts', PASSES, { pass: 59_000 }, 'completed'],
  ])('%s, and the next one is', async (_what, content, { pass = 0, set = 0 }, shown) => {
    const w = world();
    await w.ensure(WAITS);
    w.stage.gate = async (call) => {
      if (call !== 'checkRunRecords.save') return;
      w.clock.pass(pass);
      w.clock.set(set);
    };
    const code = shown === 'completed' ? 'passes' : 'githubUnavailable';
    expect([await codeOf(w.ensure(content)), w.statuses().at(-1)]).toEqual([code, shown]);
    w.stage.gate = async () => undefined;
    await w.ensure(content);
    expect(w.statuses()).toEqual(['completed']);
  });
});

describe('a run that another process is creating', () => {
  it('is waited for by the clock, however few pauses fit into the time', async () => {
    const w = world();
    await w.checkRunRecords.claim(HEAD_REF.repoId, HEAD_REF.head, 1);
    let pauses = 0;
    const sleep = async () => {
      pauses += 1;
      w.clock.pass(6_000);
    };
    expect([await codeOf(readRun({ ...w, sleep }, HEAD_REF)), pauses]).toEqual(['runBeingCreated', 1]);
  });

  // That process may have died, and a claim of the future is from a clock that was set back since.
  it.each([
    [30_000, 'runBeingCreated'],
    [30_001, 'passes'],
    [-60 * 60_000, 'passes'],
  ])('is waited for until its claim is 30 s old, and not before it: %d ms', async (ms, code) => {
    const w = world();
    await w.checkRunRecords.claim(HEAD_REF.repoId, HEAD_REF.head, 1);
    w.clock.set(ms);
    expect(await codeOf(readRun({ ...w, lookForMs: 0 }, HEAD_REF))).toBe(code);
  });

  it('is waited for no longer if the clock is set back meanwhile', async () => {
    const w = world();
    await w.checkRunRecords.claim(HEAD_REF.repoId, HEAD_REF.head, 1);
    const sleep = async () => {
      w.clock.pass(5_000);
      w.clock.set(-10_000);
    };
    expect(await codeOf(readRun({ ...w, sleep }, HEAD_REF))).toBe('runBeingCreated');
    expect(w.clock.elapsed()).toBe(5_000);
  });
});
