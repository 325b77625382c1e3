import { useEffect, useMemo, useState } from 'react';
import type { CheckInput, CheckResult, WorkerMessage } from './check-files.ts';
import { fetchKeys, type ReadFile } from './read-file.ts';
import workerUrl from './verify-worker.ts?worker&url';

type VerifyState =
  | { status: 'empty' }
  | { status: 'busy'; text: string }
  | { status: 'done'; result: CheckResult }
  | { status: 'failed'; text: string };

/** Verifies the files when they change. A key list among them is used instead of this server's. */
export function useVerify(files: ReadFile[], pasted: string) {
  const [state, setState] = useState<VerifyState>({ status: 'empty' });
  const [tries, setTries] = useState(0);
  const keyFile = useMemo(
    () => files.flatMap((file) => (file.kind === 'keys' ? [file] : [])).at(-1),
    [files],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try runs the same again.
  useEffect(() => {
    if (!files.some(({ kind }) => ['receipt', 'bundle', 'export'].includes(kind))) {
      setState({ status: 'empty' });
      return;
    }
    const replaced = new AbortController();
    const { signal } = replaced;
    const show = (next: VerifyState) => signal.aborted || setState(next);
    const run = async () => {
      show({ status: 'busy', text: 'Checking' });
      const keys = keyFile ? keyFile.value : await fetchKeys(signal);
      if (keys === null) return show({ status: 'failed', text: NO_KEYS });
      const onProgress = (text: string) => show({ status: 'busy', text });
      const input = { files, keys, texts: textsOf(files, pasted) };
      show({ status: 'done', result: await checkInWorker(input, { onProgress, signal }) });
    };
    void run().catch((error: unknown) =>
      show({ status: 'failed', text: error instanceof Error ? error.message : String(error) }),
    );
    return () => replaced.abort();
  }, [files, pasted, keyFile, tries]);

  const keySource = keyFile
    ? `the key list in ${keyFile.name}`
    : 'the key list of this server, read just now';
  /** True if the person gave something that should have checkpoints in it. */
  const hasTexts = pasted.trim() !== '' || files.some(({ kind }) => kind === 'text');
  return { state, keySource, hasTexts, again: () => setTries((count) => count + 1) };
}

const NO_KEYS =
  "This server's key list couldn't be read, so nothing can be checked.\nTry again, or add a key list that you saved before.";

function textsOf(files: ReadFile[], pasted: string) {
  const ofFiles = files.flatMap((file) =>
    file.kind === 'text' ? [{ text: file.value, from: file.name }] : [],
  );
  return [...ofFiles, { text: pasted, from: 'the pasted text' }];
}

const NOT_LOADED = "The verifier didn't load. Check your connection and try again.";

type Options = { onProgress: (text: string) => void; signal: AbortSignal };

/** Verifies files in a worker, which ends when it's done or no longer needed. Rejects with a sentence. */
function checkInWorker(input: CheckInput, { onProgress, signal }: Options): Promise<CheckResult> {
  const worker = new Worker(trustedUrl ?? workerUrl, { type: 'module' });
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

/** The content security policy takes a script's address from this policy alone, whose name may be used once. */
const trustedUrl = (window as { trustedTypes?: TrustedTypes }).trustedTypes
  ?.createPolicy('verify-worker', { createScriptURL: () => workerUrl })
  .createScriptURL(workerUrl);
