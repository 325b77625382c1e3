import type { SecurityImage as Image } from '../../../../src/contract/image.ts';
import { SecurityImage } from '../../components/security-image.tsx';
import styles from './image.module.css';
import { VARIANTS } from './random-image.ts';

type Props = { draft: Image; onChange: (variant: Image['variant']) => void };

/** The variants, each drawn with the draft's colours and shape. */
export const VariantChoice = ({ draft, onChange }: Props) => (
  <fieldset className={styles.variants}>
    <legend className="visually-hidden">Style</legend>
    {VARIANTS.map((variant) => (
      <label key={variant} className={styles.variant}>
        <input
          className="visually-hidden"
          type="radio"
          name="variant"
          checked={variant === draft.variant}
          onChange={() => onChange(variant)}
        />
        <SecurityImage image={{ ...draft, variant }} />
        {variant}
      </label>
    ))}
  </fieldset>
);
