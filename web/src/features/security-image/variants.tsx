import type { SecurityImage as Image } from '../../../../src/contract/image.ts';
import { SecurityImage } from '../../components/security-image.tsx';
import styles from './image.module.css';
import { VARIANTS } from './random-image.ts';

type Props = { choice: Image; onChange: (variant: Image['variant']) => void };

/** The ways to draw, each shown with the colours and the shape that are chosen now. */
export const Variants = ({ choice, onChange }: Props) => (
  <fieldset className={styles.variants}>
    <legend className="visually-hidden">Kind of image</legend>
    {VARIANTS.map((variant) => (
      <label key={variant} className={styles.variant}>
        <input
          className="visually-hidden"
          type="radio"
          name="variant"
          checked={variant === choice.variant}
          onChange={() => onChange(variant)}
        />
        <SecurityImage image={{ ...choice, variant }} />
        {variant}
      </label>
    ))}
  </fieldset>
);
