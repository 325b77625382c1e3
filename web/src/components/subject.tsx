import type { ReactNode } from 'react';
import { Detail } from './detail.tsx';
import styles from './subject.module.css';
import { Skeleton } from './text.tsx';

/** What a person decides about: its place, its title, and its facts as a list of details. */
export const Subject = ({ place, title, children }: Record<'place' | 'title' | 'children', ReactNode>) => (
  <div className={`stack gap-1 ${styles.subject}`}>
    <p>{place}</p>
    <h2>{title}</h2>
    <dl className="details">{children}</dl>
  </div>
);

type SkeletonProps = { place: string; title: string; facts: Record<string, string>; children?: ReactNode };

/** The same while it loads, from texts of about the same length. */
export const SubjectSkeleton = ({ place, title, facts, children }: SkeletonProps) => (
  <Subject place={<Skeleton like={place} />} title={<Skeleton like={title} />}>
    {Object.entries(facts).map(([name, like]) => (
      <Detail key={name} name={name}>
        <Skeleton like={like} />
      </Detail>
    ))}
    {children}
  </Subject>
);
