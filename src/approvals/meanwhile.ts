import { setImmediate } from 'node:timers/promises';

/**
 * Asks GitHub, and reads our own records while it answers: not before the requests have left, because reading takes this
 * process some time, too.
 *
 * @param ask Calls `onAsked` when it has only to wait for GitHub.
 */
export async function meanwhile<Answer, Known>(
  ask: (onAsked: () => void) => Promise<Answer>,
  read: () => Promise<Known>,
): Promise<[Answer, Known]> {
  let begin = () => {};
  const mayBegin = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const answer = ask(begin).then((given) => {
    begin();
    return given;
  });
  return Promise.all([answer, mayBegin.then(() => setImmediate()).then(read)]);
}
