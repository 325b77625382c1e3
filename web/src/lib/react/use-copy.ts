import { useState } from 'react';

/**
 * Copies a text; `message` says whether the browser did.
 *
 * @param otherwise Says how else a person gets the text.
 */
export function useCopy(text: string, otherwise = 'Select the text and copy it yourself.') {
  const [message, setMessage] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setMessage('Copied.');
    } catch {
      setMessage(`Your browser didn't allow this page to copy. ${otherwise}`);
    }
  };
  return { message, copy: () => void copy() };
}
