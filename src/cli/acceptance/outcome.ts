import { ASSUMPTIONS, type Assumption, type AssumptionId } from './assumptions.ts';

/** What was seen of an assumption, in the words of `assumed` if it holds; or why it wasn't tried. */
export type Seen = { id: AssumptionId } & ({ seen: string; more?: string } | { notTried: string });

export type Row = Pick<Assumption, 'id' | 'text' | 'assumed'> & {
  result: 'same' | 'differs' | 'not tried';
  /** What was seen, or why it wasn't tried. */
  seen: string;
};

const NOT_REACHED = 'The command ended before it.';

/** One row for each assumption, in the order of the list. */
export const toRows = (all: readonly Seen[]): Row[] =>
  ASSUMPTIONS.map(({ id, text, assumed }) => {
    const found = all.find((one) => one.id === id) ?? { id, notTried: NOT_REACHED };
    if ('notTried' in found) return { id, text, assumed, result: 'not tried', seen: found.notTried };
    const { seen, more } = found;
    const result = seen === assumed ? 'same' : 'differs';
    return { id, text, assumed, result, seen: more ? `${seen} (${more})` : seen };
  });
