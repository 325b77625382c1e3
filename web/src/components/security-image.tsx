import { type ComponentType, lazy, Suspense } from 'react';
import type { SecurityImage as Image } from '../../../src/contract/image.ts';
import styles from './security-image.module.css';

type Props = {
  image: Image;
  /** In a list, beside a line of text, or on its own. */
  size?: 'small' | 'medium' | 'large';
};

/** The package that draws comes when there is something to draw. Where it does not come, a sign stands in for it. */
const Drawing = lazy<ComponentType<Image & { size: string }>>(() =>
  import('boring-avatars').catch(() => ({ default: () => '?' })),
);

/** A security image. Its place is kept while the drawing is on its way; people who listen get no more than the text beside it. */
export function SecurityImage({ image: { name, colors, variant }, size = 'medium' }: Props) {
  return (
    <span className={`${styles.place} ${styles[size]}`} aria-hidden="true">
      <Suspense>
        <Drawing name={name} colors={colors} variant={variant} size="100%" />
      </Suspense>
    </span>
  );
}
