import type { ReactNode } from 'react';
import { Banner, Card } from '../../../components/card.tsx';
import { SecondaryButton } from '../../../components/controls.tsx';
import styles from '../../../components/list.module.css';
import { ListPages } from '../../../components/list-pages.tsx';
import { Skeleton } from '../../../components/text.tsx';
import type { List } from './use-list.ts';

type Props = {
  title: string;
  list: List<{ next: unknown }>;
  /** How many rows there are; null while the list loads. It's announced when it changes. */
  count: string | null;
  controls: ReactNode;
  /** An action for the whole list, next to the number. */
  action?: ReactNode;
  /** The content above the search. */
  intro?: ReactNode;
  /** The content between the number and the rows. */
  aboveRows?: ReactNode;
  /** The content below the list. */
  footer?: ReactNode;
  /** How many rows the page on the screen has, the whole list (null if that isn't known), and a full page. */
  shown: number | undefined;
  total: number | null | undefined;
  size?: number;
  /** The rows. */
  children: ReactNode;
};

/** The card of a list: search and filters, the number of rows, and a page of the rows. */
export function ListCard({ title, list, count, controls, action, intro, aboveRows, footer, ...page }: Props) {
  const { answer, busy, failure, reload } = list;
  const banner = failure && (
    <Banner text={failure.text}>
      <SecondaryButton busy={busy} onClick={reload}>
        Try again
      </SecondaryButton>
    </Banner>
  );
  const { shown = 0, total = null, ...rest } = page;
  return (
    <Card title={title} wide busy={answer === null && busy} banner={banner}>
      {intro}
      {controls}
      <div className={`spread ${action === undefined ? '' : styles.withAction}`}>
        <p role="status" className={styles.count}>
          {count ?? (!failure && <Skeleton like="302 of them" />)}
        </p>
        {action}
      </div>
      {aboveRows}
      {(answer || !failure) && <ListPages list={list} shown={shown} total={total} {...rest} />}
      {footer}
    </Card>
  );
}

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
