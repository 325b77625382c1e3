import { type ChangeEvent, startTransition, useEffect, useEffectEvent, useRef, useState } from 'react';

const TYPING_PAUSE_MS = 300;

/**
 * A text field that applies its text when typing pauses, and when the field loses the focus.
 *
 * @param applied The text that applies now, for example from the address. The field shows it unless a person types.
 * @param onApply Gets the typed text, without spaces around it.
 */
export function useTyped(applied: string, onApply: (value: string) => void) {
  const [typed, setTyped] = useState<string | null>(null);
  /** The last text that was applied while a person types; null before the first one. */
  const last = useRef<string | null>(null);

  const apply = () => {
    const value = typed?.trim() ?? applied;
    if (value === (last.current ?? applied)) return;
    last.current = value;
    onApply(value);
  };
  const applyAfterPause = useEffectEvent(apply);
  useEffect(() => {
    if (typed === null) return;
    const timer = window.setTimeout(() => applyAfterPause(), TYPING_PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [typed]);

  const onBlur = () => {
    apply();
    last.current = null;
    // The address changes in a transition too, so the field never shows the former text.
    startTransition(() => setTyped(null));
  };
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => setTyped(target.value);
  return { value: typed ?? applied, onChange, onBlur };
}
