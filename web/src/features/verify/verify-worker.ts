import { type CheckInput, checkFiles, type WorkerMessage } from './check-files.ts';

/*
 * A worker of its own: a long log takes a minute, in which the page still scrolls and can stop it. The verifier is in
 * this script alone, so only this page loads it.
 */

const answer = (message: WorkerMessage) => self.postMessage(message);

self.addEventListener('message', ({ data }: MessageEvent<CheckInput>) => {
  checkFiles(data, (progress) => answer({ progress })).then(
    (result) => answer({ result }),
    (error: unknown) => answer({ problem: String(error) }),
  );
});
