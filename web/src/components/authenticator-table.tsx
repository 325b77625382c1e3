import type { ReactNode } from 'react';
import type { Authenticator } from '../lib/authenticator.ts';
import styles from './authenticator-table.module.css';
import { Skeleton } from './skeleton.tsx';

/** One column of a table of authenticators; `authenticator-columns.tsx` has them. */
export type Column = {
  name: string;
  cell: (authenticator: Authenticator) => ReactNode;
  /** Text about as long as a cell's content; only its length is used, while the list loads. */
  like: string;
};

type Props = {
  columns: Column[];
  /** Null while the list loads; the table then shows empty rows. */
  authenticators: Authenticator[] | null;
  /** How many rows are likely to come. */
  expected?: number;
};

/** One row per authenticator. On a phone each row is a block, and every cell names its column. */
export function AuthenticatorTable({ columns, authenticators, expected = 2 }: Props) {
  return (
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
        {authenticators
          ? authenticators.map((authenticator) => (
              <Row key={authenticator.id} columns={columns} fill={({ cell }) => cell(authenticator)} />
            ))
          : Array.from({ length: expected }, (_, row) => (
              <Row key={String(row)} columns={columns} fill={({ like }) => <Skeleton like={like} />} />
            ))}
      </tbody>
    </table>
  );
}

function Row({ columns, fill }: { columns: Column[]; fill: (column: Column) => ReactNode }) {
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
