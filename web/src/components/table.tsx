import { Fragment, type ReactNode } from 'react';
import styles from './table.module.css';
import { Skeleton } from './text.tsx';

export type Column<Item> = {
  name: string;
  /** Null leaves the cell empty. */
  cell: (item: Item) => ReactNode;
  /** Text about as long as a cell's content; only its length is used, while the list loads. */
  like: string;
};

type Props<Item> = {
  columns: Column<Item>[];
  /** Null while the list loads; the table then shows empty rows. */
  items: Item[] | null;
  keyOf: (item: Item) => string | number;
  /** The content that a row opens below itself. */
  below?: (item: Item) => ReactNode;
  /** The number of rows that are likely to come. */
  expected?: number;
  className?: string | undefined;
};

/**
 * One row for each item. On a phone each row is a block, and every cell but the first names its column. A column in
 * which every cell is null isn't shown.
 */
export function Table<Item>({
  columns: all,
  items,
  keyOf,
  below,
  expected = 6,
  className = '',
}: Props<Item>) {
  const columns = items ? all.filter(({ cell }) => items.some((item) => cell(item) !== null)) : all;
  return (
    <table className={`${styles.table} ${className}`}>
      <thead>
        <tr>
          {columns.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items
          ? items.map((item) => (
              <Fragment key={keyOf(item)}>
                <Row columns={columns} fill={({ cell }) => cell(item)} />
                {below?.(item) && (
                  <tr>
                    <td className={styles.below} colSpan={columns.length}>
                      {below(item)}
                    </td>
                  </tr>
                )}
              </Fragment>
            ))
          : Array.from({ length: expected }, (_, row) => (
              <Row key={String(row)} columns={columns} fill={({ like }) => <Skeleton like={like} />} />
            ))}
      </tbody>
    </table>
  );
}

function Row<Item>({
  columns,
  fill,
}: {
  columns: Column<Item>[];
  fill: (column: Column<Item>) => ReactNode;
}) {
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.name} data-column={column.name}>
          <div>{fill(column)}</div>
        </td>
      ))}
    </tr>
  );
}
