import { useLayoutEffect, useRef } from 'react';

const placeOf = (list: HTMLElement, id: string) => {
  const entry = list.querySelector(`[data-entry="${CSS.escape(id)}"]`);
  return entry && entry.getBoundingClientRect().top - list.getBoundingClientRect().top;
};

/**
 * For a list that grows at its top: whoever has scrolled into it keeps what they read where it is. Who sees the top
 * sees the new entry come. `top` is the id of the first entry, which carries it as `data-entry`.
 */
export function useKeepPlace<List extends HTMLElement>(top: string) {
  const ref = useRef<List>(null);
  const shown = useRef<{ id: string; place: number } | null>(null);

  useLayoutEffect(() => {
    const list = ref.current;
    if (!list) return;
    const before = shown.current;
    const place = placeOf(list, top);
    shown.current = place === null ? null : { id: top, place };
    if (!before || before.id === top) return;
    const now = placeOf(list, before.id);
    if (now !== null && list.getBoundingClientRect().top < 0) window.scrollBy(0, now - before.place);
  }, [top]);

  return ref;
}
