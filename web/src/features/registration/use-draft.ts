import { useState } from 'react';

/** A text that the person types, kept for this tab until `done`: it outlives a reload and the way back and forth. */
export function useDraft(key: string, initial: string) {
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? initial);
  const change = (next: string) => {
    setText(next);
    sessionStorage.setItem(key, next);
  };
  return { text, change, done: () => sessionStorage.removeItem(key) };
}
