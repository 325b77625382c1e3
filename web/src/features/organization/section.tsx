import { type ReactNode, useId } from 'react';

type Props = {
  title: string;
  /** The fragment that links on the page point to. */
  id?: string;
  /** True if its content is still loading. */
  busy?: boolean;
  children: ReactNode;
};

/** A part of a page under its own second-level heading. */
export function Section({ title, id, busy = false, children }: Props) {
  const heading = useId();
  return (
    <section id={id} className="stack gap-2 divided" aria-labelledby={heading} aria-busy={busy || undefined}>
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
}
