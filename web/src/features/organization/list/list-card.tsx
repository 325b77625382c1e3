import type { ReactNode } from 'react';
import { Banner, Card } from '../../../components/card.tsx';
import { SecondaryButton } from '../../../components/controls.tsx';
import styles from '../../../components/list.module.css';
import { ListPages, PAGE_SIZE } from '../../../components/list-pages.tsx';
import { Skeleton } from '../../../components/text.tsx';
import type { List } from './use-list.ts';

type Props = Partial<Counted> & {
  title: string;
  list: List<{ next: unknown }>;
  /** The number of rows in words, if it isn't what `countText` says. It's announced when it changes. */
  count?: string | null;
  controls: ReactNode;
  /** An action for the whole list, next to the number. */
  action?: ReactNode;
  /** The content above the search. */
  intro?: ReactNode;
  /** The content between the number and the rows. */
  aboveRows?: ReactNode;
  /** The text if there are no rows without search and filters. */
  empty?: ReactNode;
  /** The content below the list. */
  footer?: ReactNode;
  /** The number of rows on the screen's page, and on a full page. */
  shown: number | undefined;
  size?: number;
  /** The rows. */
  children: ReactNode;
};

/** The card of a list: search and filters, the number of rows, and a page of the rows. */
export function ListCard(props: Props) {
  const {
    title,
    list,
    controls,
    action,
    intro,
    aboveRows,
    empty,
    footer,
    shown = 0,
    size = PAGE_SIZE,
    children,
  } = props;
  const { answer, busy, failure, reload } = list;
  const count = props.count ?? countText(props);
  const banner = failure && (
    <Banner text={failure.text}>
      <SecondaryButton busy={busy} onClick={reload}>
        Try again
      </SecondaryButton>
    </Banner>
  );
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
      {(answer || !failure) && (
        <ListPages list={list} shown={shown} total={props.matches ?? null} size={size}>
          {props.matches === 0 ? (
            <p>{props.isFiltered ? 'Change the search or the filters.' : empty}</p>
          ) : (
            children
          )}
        </ListPages>
      )}
      {(answer || failure) && footer}
    </Card>
  );
}

type Counted = {
  /** The word for a row, and for several. */
  nouns: [one: string, many: string];
  /** The number of rows that match the search and the filters; undefined while the list loads. */
  matches: number | undefined;
  /** The number of rows without search and filters; null or undefined if that isn't known. */
  all: number | null | undefined;
  isFiltered: boolean;
};

/** Says how many rows a list has, such as `37 of 302 members`; null while it loads. */
export function countText({ nouns: [one, many] = ['', ''], matches, all, isFiltered }: Partial<Counted>) {
  if (matches === undefined) return null;
  if (isFiltered && matches === 0) return `No ${many} match.`;
  if (isFiltered && all != null) return `${matches} of ${all} ${all === 1 ? one : many}`;
  return `${matches} ${matches === 1 ? one : many}`;
}

/** A number behind a filter's choice, such as ` (37)`; empty if it isn't known. */
export const inBrackets = (count: number | undefined) => (count === undefined ? '' : ` (${count})`);
