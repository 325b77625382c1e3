import type { CheckInput, CheckResult, WorkerMessage } from './verdict.ts';
import workerUrl from './verify-worker.ts?worker&url';

const NOT_LOADED = "The verifier didn't load. Check your connection and try again.";

type Options = { onProgress: (text: string) => void; signal: AbortSignal };

/** Verifies files in a worker, which ends when it's done or no longer needed. Rejects with a sentence. */
export function checkInWorker(input: CheckInput, { onProgress, signal }: Options): Promise<CheckResult> {
  const worker = new Worker(trusted(workerUrl), { type: 'module' });
  const done = new Promise<CheckResult>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    worker.addEventListener('error', () => reject(new Error(NOT_LOADED)));
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
      if ('progress' in data) onProgress(data.progress);
      else if ('result' in data) resolve(data.result);
      else reject(new Error(data.problem));
    });
    worker.postMessage(input);
  });
  return done.finally(() => worker.terminate());
}

type Policy = { createScriptURL: (url: string) => string };
type TrustedTypes = { createPolicy: (name: string, policy: Policy) => Policy };

/** The content security policy wants script addresses marked as trusted. This one is part of the build. */
function trusted(url: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  return (
    trustedTypes?.createPolicy('verify-worker', { createScriptURL: () => url }).createScriptURL('') ?? url
  );
}
