import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { logContext, withLogContext } from '../../../src/shared/log.ts';
import { createQueues } from '../../../src/shared/queues.ts';
import { until } from '../../support/until.ts';

/** Work that notes its begin and lasts until it's ended. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<void>((end) => {
      begun.push(name);
      ends.set(name, end);
    });
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

test('work of a key begins by its priority, then in its order, and waits for no other key', async () => {
  const queues = createQueues<number>(1);
  const { begun, work, end } = works();
  const all = ['a', 'b', 'c'].map((name) => queues.add(1, work(name)));
  all.push(queues.add(1, work('urgent'), 1), queues.add(2, work('other')));
  expect(begun).toEqual(['a', 'other']);
  for (const name of ['a', 'urgent', 'b', 'c', 'other']) {
    end(name);
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  expect(begun).toEqual(['a', 'other', 'urgent', 'b', 'c']);
});

test('while a person waits, a queue does one thing at a time, and as much as before afterwards', async () => {
  const queues = createQueues<number>(3);
  const { begun, work, end } = works();
  const person = works();
  const approval = queues.yieldTo(1, person.work('approval'));
  const all = ['a', 'b', 'c', 'd'].map((name) => queues.add(1, work(name)));
  expect([person.begun, begun]).toEqual([['approval'], ['a']]);
  end('a');
  await all[0];
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b']);
  person.end('approval');
  await approval;
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['b', 'c', 'd']) end(name);
  await Promise.all(all);
});

test('while webhooks arrive, no queue begins anything, also after a person stops waiting', async () => {
  const queues = createQueues<number>(2);
  const { begun, work, end } = works();
  const arriving = works();
  const both = ['one', 'two'].map((name) => queues.yieldTo(0, arriving.work(name)));
  const all = ['a', 'b', 'c'].map((name) => queues.add(1, work(name)));
  await queues.yieldTo(1, async () => undefined);
  arriving.end('one');
  await both[0];
  await new Promise(setImmediate);
  expect(begun).toEqual([]);
  arriving.end('two');
  await both[1];
  expect(begun).toEqual(['a', 'b']);
  for (const name of ['a', 'b']) end(name);
  await until('the third begins', () => begun.length === 3);
  end('c');
  await Promise.all(all);
});

test('a queue has room while less of its work is done than may be, and while nobody waits for all queues', async () => {
  const queues = createQueues<number>(2);
  const { work, end } = works();
  const room = () => [1, 2].map((key) => queues.hasRoom(key));
  const both = [queues.add(1, work('a'))];
  expect(room()).toEqual([true, true]);
  both.push(queues.add(1, work('b')));
  expect(room()).toEqual([false, true]);
  const waited = queues.yieldTo(0, work('c'));
  expect(room()).toEqual([false, false]);
  for (const name of ['a', 'b', 'c']) end(name);
  await Promise.all([...both, waited]);
  expect(room()).toEqual([true, true]);
});

test('a refusal reaches its person, and lets other work continue', async () => {
  const queues = createQueues<number>(2);
  await expect(queues.yieldTo(1, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  await expect(queues.add(1, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  const { begun, work, end } = works();
  const both = [queues.add(1, work('a')), queues.add(1, work('b'))];
  expect(begun).toEqual(['a', 'b']);
  for (const name of begun) end(name);
  await Promise.all(both);
});

test('work keeps the log context of who added it', async () => {
  const queues = createQueues<number>(1);
  const { work, end } = works();
  const first = withLogContext({ request: 'first' }, () => queues.add(1, work('a')));
  const second = withLogContext({ request: 'second' }, () => queues.add(1, async () => logContext()));
  end('a');
  await first;
  expect(await second).toEqual({ request: 'second' });
});

test('a queue keeps nothing of work that has ended, while other work waits', async () => {
  const queues = createQueues<number>(1);
  const { work, end, begun } = works();
  const addHeavy = () => {
    const payload = {};
    return { payload: new WeakRef(payload), done: queues.add(1, async () => void payload) };
  };
  const first = queues.add(1, work('first'));
  const { payload, done } = addHeavy();
  const others = ['a', 'b'].map((name) => queues.add(1, work(name)));
  end('first');
  await Promise.all([first, done]);
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  await until('nothing holds the payload', () => {
    collectGarbage();
    return payload.deref() === undefined;
  });
  expect(begun).toEqual(['first', 'a']);
  end('a');
  await others[0];
  end('b');
  await others[1];
});
