import { useEffect, useMemo, useState } from 'react';
import { fetchKeys } from './fetch-keys.ts';
import type { ReadFile } from './read-file.ts';
import { checkInWorker } from './run-worker.ts';
import type { CheckResult } from './verdict.ts';

export type VerifyState =
  | { status: 'empty' }
  | { status: 'busy'; text: string }
  | { status: 'done'; result: CheckResult }
  | { status: 'failed'; text: string };

/** Verifies the files when they change. A key list among them is used in place of this server's. */
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
  /** Whether the person gave something that should have checkpoints in it. */
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
