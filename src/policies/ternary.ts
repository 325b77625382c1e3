/** Whether something holds, as far as we know. */
export type Ternary = 'yes' | 'maybe' | 'no';

export const isTrue = (value: boolean): Ternary => (value ? 'yes' : 'no');

/** Whether it holds for all of them. */
export function allOf<T>(items: Iterable<T>, of: (item: T) => Ternary): Ternary {
  let known: Ternary = 'yes';
  for (const item of items) {
    const value = of(item);
    if (value === 'no') return 'no';
    if (value === 'maybe') known = 'maybe';
  }
  return known;
}

/** Whether it holds for at least one of them. */
export function anyOf<T>(items: Iterable<T>, of: (item: T) => Ternary): Ternary {
  let known: Ternary = 'no';
  for (const item of items) {
    const value = of(item);
    if (value === 'yes') return 'yes';
    if (value === 'maybe') known = 'maybe';
  }
  return known;
}

/** Whether both hold. */
export const both = (one: Ternary, other: Ternary): Ternary => allOf([one, other], (value) => value);

/** Whether one of the two holds. */
export const either = (one: Ternary, other: Ternary): Ternary => anyOf([one, other], (value) => value);
