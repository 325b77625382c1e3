import { type ComponentType, lazy, Suspense } from 'react';
import type { SecurityImage as Image } from '../../../src/contract/image.ts';
import styles from './security-image.module.css';

type Props = {
  image: Image;
  /** Small in a list, medium next to a line of text, large on its own. */
  size?: 'small' | 'medium' | 'large';
};

/** Loads the drawing package only if there is an image to draw; if that fails, a question mark is shown. */
const Drawing = lazy<ComponentType<Image & { size: string }>>(() =>
  import('boring-avatars').catch(() => ({ default: () => '?' })),
);

/**
 * A security image. Its space is reserved while the drawing loads. Screen readers skip it: the text next to it says
 * enough.
 */
export function SecurityImage({ image: { name, colors, variant }, size = 'medium' }: Props) {
  return (
    <span className={`${styles.frame} ${styles[size]}`} aria-hidden="true">
      <Suspense>
        <Drawing name={name} colors={colors} variant={variant} size="100%" />
      </Suspense>
    </span>
  );
}
