import { useLayoutEffect, useRef } from 'react';

/**
 * A ref for the element that holds the current step of several. When the step changes, the focused control is gone, so
 * the focus moves to this element. A banner, or a field inside that took the focus, keeps it.
 */
export function useStepFocus<StepElement extends HTMLElement>(step: string) {
  const ref = useRef<StepElement>(null);
  const shown = useRef(step);

  useLayoutEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    const focused = document.activeElement;
    if (focused?.closest('[role="alert"]') || ref.current?.contains(focused)) return;
    ref.current?.focus();
  }, [step]);

  return ref;
}
