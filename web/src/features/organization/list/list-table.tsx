import { Fragment, type ReactNode } from 'react';
import { Skeleton } from '../../../components/text.tsx';
import styles from './list.module.css';

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
};

/** One row for each item. On a phone each row is a block, and every cell but the first names its column. */
export const ListTable = <Item,>({ columns, items, keyOf, below }: Props<Item>) => (
  <table className={styles.table}>
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
        : PLACES.map((place) => (
            <Row key={place} columns={columns} fill={({ like }) => <Skeleton like={like} />} />
          ))}
    </tbody>
  </table>
);

const PLACES = ['1', '2', '3', '4', '5', '6'];

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
          {fill(column)}
        </td>
      ))}
    </tr>
  );
}
