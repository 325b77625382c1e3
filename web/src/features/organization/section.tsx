import { type ReactNode, useId } from 'react';
import { SkeletonLine } from '../../components/text.tsx';

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

type SkeletonProps = {
  title: string;
  /** Texts about as long as the lines that will appear, each as high as a link. */
  lines: string[];
};

/** Reserves the space of a section that is loading. */
export const SectionSkeleton = ({ title, lines }: SkeletonProps) => (
  <Section title={title} busy>
    {lines.map((like) => (
      <SkeletonLine key={like} className="target" like={like} />
    ))}
  </Section>
);
