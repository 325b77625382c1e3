import { useState } from 'react';
import { sentenceOf } from '../api/api-client.ts';

/** Something that the person does on a page: whether it's under way, and why it failed last, as a sentence. */
export function useAction() {
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);

  /** Resolves to whether `work` succeeded. `explain` gives another text for a failure, or null for none. */
  const run = async (
    work: () => Promise<void>,
    explain: (cause: unknown) => string | null = sentenceOf,
  ): Promise<boolean> => {
    setPending(true);
    setError(null);
    try {
      await work();
      return true;
    } catch (cause) {
      setError(explain(cause));
      return false;
    } finally {
      setPending(false);
    }
  };
  return { pending, error, setError, run };
}
