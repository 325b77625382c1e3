import type { ReactNode } from 'react';

/** One line of a list of details: its name and its value. */
export const Detail = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
