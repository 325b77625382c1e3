import { useState } from 'react';
import { useClient } from './use-client.ts';

/**
 * Like `useState`, but stored in the tab: the value survives a reload and a new sign-in, and is cleared at logout. Null
 * means that there is none.
 *
 * @param read Validates a stored value whose shape may be an older version's.
 */
export function useTabState<Value>(
  key: string,
  read: (stored: unknown) => Value | null = (stored) => stored as Value | null,
): [Value | null, (value: Value | null) => void] {
  const { tab } = useClient();
  const [value, setValue] = useState(() => read(parse(tab.getItem(key))));
  const store = (next: Value | null) => {
    setValue(next);
    if (next === null) tab.removeItem(key);
    else tab.setItem(key, JSON.stringify(next));
  };
  return [value, store];
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
