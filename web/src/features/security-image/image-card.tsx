import type { ReactNode } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { SecurityImage } from '../../components/security-image.tsx';
import { BackLink } from './back-link.tsx';
import styles from './image.module.css';
import { type Owner, useImage } from './use-image.ts';
import { Variants } from './variants.tsx';

type Props = {
  title: string;
  owner: Owner;
  /** Who will see the image, and what for. */
  children: ReactNode;
};

/** Chooses a security image and sets it. */
export function ImageCard({ title, owner, children }: Props) {
  const { choice, status, error, info, save, draw, newColors, newShape } = useImage(owner);
  const pending = status === 'pending';
  return (
    <Card title={title} banner={error && <Banner text={error} />}>
      <p>{children}</p>
      <p className={styles.present}>
        {owner.image ? (
          <>
            <SecurityImage image={owner.image} />
            This is the image now.
          </>
        ) : (
          'No image is set.'
        )}
      </p>
      <div className={styles.preview}>
        <SecurityImage image={choice} size="large" />
      </div>
      <Variants choice={choice} onChange={draw} />
      <div className={styles.chances}>
        <Button look="secondary" busy={pending} onClick={newColors}>
          New colors
        </Button>
        <Button look="secondary" busy={pending} onClick={newShape}>
          New shape
        </Button>
      </div>
      <Button busy={pending} onClick={() => void save()}>
        {pending ? 'Processing' : 'Set image'}
      </Button>
      <p role="status">{info}</p>
      <BackLink />
    </Card>
  );
}
