import type { ReactNode } from 'react';

/** One line of a list of facts: its name, and what is known. */
export const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
