import { useState } from 'react';
import { type List, PAGE_SIZE } from './use-list.ts';

/** Pages of a list that's already here. Another `key`, such as a search, starts at the first page again. */
export function usePagesOf<Item>(all: Item[], key: string) {
  const [shown, setShown] = useState({ key, place: 1 });
  const place = shown.key === key ? shown.place : 1;
  const items = all.slice((place - 1) * PAGE_SIZE, place * PAGE_SIZE);
  const goTo = (next: number) => setShown({ key, place: next });
  const list: List<{ next: string | null }> = {
    answer: { next: place * PAGE_SIZE < all.length ? String(place + 1) : null },
    place,
    busy: false,
    failure: null,
    next: () => goTo(place + 1),
    previous: () => goTo(place - 1),
    reload: () => undefined,
    refresh: () => undefined,
  };
  return { list, items };
}
