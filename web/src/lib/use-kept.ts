import { useState } from 'react';
import { useClient } from './use-client.ts';

/**
 * Something that a person began, kept for this tab: it outlives a reload and another sign-in, and ends with the logout.
 * `read` takes what was kept, whatever it is by now; null is nothing.
 */
export function useKept<Value>(
  key: string,
  read: (kept: unknown) => Value | null,
): [Value | null, (value: Value | null) => void] {
  const { tab } = useClient();
  const [value, setValue] = useState(() => read(parse(tab.getItem(key))));
  const keep = (next: Value | null) => {
    setValue(next);
    if (next === null) tab.removeItem(key);
    else tab.setItem(key, JSON.stringify(next));
  };
  return [value, keep];
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
