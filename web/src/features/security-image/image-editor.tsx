import type { ReactNode } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { SecurityImage } from '../../components/security-image.tsx';
import { BackLink } from './back-link.tsx';
import styles from './image.module.css';
import { type ImageSubject, useImageEditor } from './use-image-editor.ts';
import { VariantChoice } from './variant-choice.tsx';

type Props = {
  title: string;
  subject: ImageSubject;
  /** Who will see the image, and when. */
  children: ReactNode;
};

/** A card for choosing a security image and saving it. */
export function ImageEditor({ title, subject, children }: Props) {
  const { draft, status, error, info, save, setVariant, newColors, newShape } = useImageEditor(subject);
  const pending = status === 'pending';
  return (
    <Card title={title} banner={error && <Banner text={error} />}>
      <p>{children}</p>
      <p className={styles.current}>
        {subject.image ? (
          <>
            <SecurityImage image={subject.image} />
            This is your current image.
          </>
        ) : (
          'No image yet.'
        )}
      </p>
      <div className={styles.editor}>
        <div className={styles.parts}>
          <div className={styles.preview}>
            <SecurityImage image={draft} size="large" />
          </div>
          <div className={styles.choice}>
            <VariantChoice draft={draft} onChange={setVariant} />
            <div className={styles.random}>
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
          </div>
        </div>
      </div>
      <p role="status">{info}</p>
      <BackLink />
    </Card>
  );
}
