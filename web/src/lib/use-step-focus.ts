import { useEffect, useRef } from 'react';

/**
 * For the element that holds one step of several: when the step changes, the focus goes there, because what had it is
 * gone. A banner, and a field inside that asked for the focus, keep it.
 */
export function useStepFocus<Place extends HTMLElement>(step: string) {
  const ref = useRef<Place>(null);
  const shown = useRef(step);

  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    const focused = document.activeElement;
    if (focused?.closest('[role="alert"]') || ref.current?.contains(focused)) return;
    ref.current?.focus();
  }, [step]);

  return ref;
}
