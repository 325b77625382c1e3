import { type ChangeEvent, useEffect, useRef, useState } from 'react';

const TYPING_PAUSE_MS = 300;

/**
 * A text field that applies its text when typing pauses, and when the field loses the focus.
 *
 * @param applied The text that applies now, for example from the address; the field follows it.
 * @param onApply Gets the typed text, without spaces around it.
 */
export function useTyped(applied: string, onApply: (value: string) => void) {
  const [typed, setTyped] = useState(applied);
  const last = useRef(applied);
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
    onApply(value);
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

  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => setTyped(target.value);
  return { value: typed, onChange, onBlur: apply };
}
