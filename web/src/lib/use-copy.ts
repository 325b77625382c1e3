import { useState } from 'react';

const MESSAGES = {
  idle: '',
  copied: 'Copied.',
  failed: "Your browser didn't allow this page to copy. Select the text and copy it yourself.",
};

/** Copies a text that the page shows; `message` says whether the browser did. */
export function useCopy(text: string) {
  const [copied, setCopied] = useState<keyof typeof MESSAGES>('idle');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied('copied');
    } catch {
      setCopied('failed');
    }
  };
  return { message: MESSAGES[copied], copy: () => void copy() };
}
