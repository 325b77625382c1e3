import type { ReactNode } from 'react';
import { Banner, Card } from '../../../components/card.tsx';
import { SecondaryButton } from '../../../components/controls.tsx';
import styles from '../../../components/list.module.css';
import { Skeleton } from '../../../components/text.tsx';
import type { List } from './use-list.ts';

type Props = {
  title: string;
  list: List<unknown>;
  /** How many rows there are; null while the list loads. It's announced when it changes. */
  count: string | null;
  controls: ReactNode;
  /** An action for the whole list, beside the number. */
  action?: ReactNode;
  /** The content above the search. */
  intro?: ReactNode;
  children: ReactNode;
};

/** The card of a list: search and filter, the number of rows, and the rows. */
export const ListCard = ({ title, list, count, controls, action, intro, children }: Props) => (
  <Card title={title} wide busy={list.answer === null && list.busy} banner={<Failure list={list} />}>
    {intro}
    {controls}
    <div className={`spread ${action === undefined ? '' : styles.withAction}`}>
      <p role="status" className={styles.count}>
        {count ?? (!list.failure && <Skeleton like="302 of them" />)}
      </p>
      {action}
    </div>
    {(list.answer || !list.failure) && children}
  </Card>
);

const Failure = ({ list: { failure, busy, reload } }: { list: List<unknown> }) =>
  failure && (
    <Banner text={failure.text}>
      <SecondaryButton busy={busy} onClick={reload}>
        Try again
      </SecondaryButton>
    </Banner>
  );

type Counted = {
  /** How many match the search and the filter. */
  matches: number;
  /** How many there are without them; null if that isn't known. */
  all: number | null;
  isFiltered: boolean;
};

/** How many rows a list has, such as `37 of 302 members`. */
export function countText([one, many]: [string, string], { matches, all, isFiltered }: Counted): string {
  if (isFiltered && matches === 0) return `No ${many} match.`;
  if (isFiltered && all !== null) return `${matches} of ${all} ${all === 1 ? one : many}`;
  return `${matches} ${matches === 1 ? one : many}`;
}

/** A number behind a filter's choice, such as ` (37)`; empty if it isn't known. */
export const inBrackets = (count: number | undefined) => (count === undefined ? '' : ` (${count})`);
