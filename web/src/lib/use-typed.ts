import { type ChangeEvent, useEffect, useRef, useState } from 'react';

const TYPING_PAUSE_MS = 300;

/**
 * A text field that applies its text when typing pauses, on `settle`, and when the field loses the focus.
 *
 * @param applied The text that applies now, for example from the address; the field follows it.
 * @param onApply Gets the typed text, without spaces around it. `isTyping` is true for each change after the first one
 *   until `settle`, so that the browser's history has one step for each text.
 */
export function useTyped(applied: string, onApply: (value: string, isTyping: boolean) => void) {
  const [typed, setTyped] = useState(applied);
  const last = useRef(applied);
  const isTyping = useRef(false);
  /** Our own changes, which come back from the address when more may be typed already. */
  const sent = useRef<string[]>([]);
  useEffect(() => {
    const at = sent.current.indexOf(applied);
    sent.current = sent.current.slice(at < 0 ? sent.current.length : at + 1);
    if (at >= 0) return;
    // Back, forward and "Clear filters" change the address, and the field follows it.
    last.current = applied;
    setTyped(applied);
  }, [applied]);

  const apply = () => {
    const value = typed.trim();
    if (value === last.current) return;
    last.current = value;
    sent.current.push(value);
    onApply(value, isTyping.current);
    isTyping.current = true;
  };
  const applyNow = useRef(apply);
  useEffect(() => {
    applyNow.current = apply;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key starts the pause again.
  useEffect(() => {
    const timer = window.setTimeout(() => applyNow.current(), TYPING_PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);

  const settle = () => {
    apply();
    isTyping.current = false;
  };
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => setTyped(target.value);
  return { typed, settle, input: { value: typed, onChange, onBlur: settle } };
}
