import palettes from 'nice-color-palettes/500.json' with { type: 'json' };
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import type { SecurityImage as Image } from '../../../../src/contract/image.ts';
import { ActionError } from '../../components/action-error.tsx';
import { Card } from '../../components/card.tsx';
import { ChooseOrganization } from '../../components/choose-organization.tsx';
import { Button, SecondaryButton } from '../../components/controls.tsx';
import { SecurityImage } from '../../components/security-image.tsx';
import { Label } from '../../components/text.tsx';
import { WrongPerson } from '../../components/wrong-person.tsx';
import { safePath } from '../../lib/address/safe-url.ts';
import { useAction } from '../../lib/react/use-action.ts';
import { useClient, usePageContext, useUser } from '../../lib/react/use-client.ts';
import { useTabState } from '../../lib/react/use-tab-state.ts';
import { findOrganization, type Organization } from '../../lib/session/user.ts';
import styles from './image.module.css';
import { randomName, randomPalette, VARIANTS } from './random-image.ts';

const TITLE = 'Organization image';
const MISSING = 'Missing org name or ID\nChoose one of yours.';

/** `/org/image`: an organization's security image. Owners set it, members see it. */
export function OrganizationImagePage() {
  const context = usePageContext();
  const user = useUser();
  const organization = findOrganization(user, context);
  if (!context.owner || !context.ownerID) {
    return (
      <Card title={TITLE} banner={MISSING}>
        <ChooseOrganization />
      </Card>
    );
  }
  if (!organization) return <WrongPerson title={TITLE} />;
  if (organization.role !== 'admin') return <ForMembers {...organization} />;
  return (
    <ImageEditor key={organization.orgId} title={TITLE} subject={organization}>
      Members of <Label text={organization.name} /> see this image next to their own whenever OTP Guard asks
      them for a passkey or a code.
    </ImageEditor>
  );
}

const ForMembers = ({ name, image }: Organization) => (
  <Card title={TITLE}>
    {image && (
      <div className={styles.preview}>
        <SecurityImage image={image} size="large" />
      </div>
    )}
    <p>
      {image ? 'The owners of ' : 'No image yet. The owners of '}
      <Label text={name} /> {image ? 'set this image.' : 'can set one.'}
    </p>
  </Card>
);

/** `/image`: the person's own security image. */
export function ImagePage() {
  const { image } = useUser();
  return (
    <ImageEditor title="Security image" subject={{ orgId: 0, image }}>
      OTP Guard shows you this image whenever it asks for a passkey or a code. If a page doesn't show it, it
      isn't OTP Guard.
    </ImageEditor>
  );
}

type Props = {
  title: string;
  subject: ImageSubject;
  /** Says who will see the image, and when. */
  children: ReactNode;
};

/** A card for choosing a security image and saving it. */
function ImageEditor({ title, subject, children }: Props) {
  const { draft, pending, error, info, save, setVariant, newColors, newShape } = useImageEditor(subject);
  return (
    <Card title={title}>
      <p>{children}</p>
      <p className={`row gap-3 ${styles.current}`}>
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
        <div className={`stack ${styles.parts}`}>
          <div className={styles.preview}>
            <SecurityImage image={draft} size="large" />
          </div>
          <div className="stack">
            <VariantChoice draft={draft} onChange={setVariant} />
            <div className={`buttons ${styles.random}`}>
              <SecondaryButton busy={pending} onClick={newColors}>
                New colors
              </SecondaryButton>
              <SecondaryButton busy={pending} onClick={newShape}>
                New shape
              </SecondaryButton>
            </div>
            <ActionError text={error} />
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

/** A link to the page that sent the person here, if there is one. */
function BackLink() {
  const { config } = useClient();
  const path = safePath(usePageContext().redirectURL, config);
  return (
    path && (
      <Link className="target" to={path}>
        Go back
      </Link>
    )
  );
}

type VariantChoiceProps = { draft: Image; onChange: (variant: Image['variant']) => void };

/** The variants, each drawn with the draft's colours and shape. */
const VariantChoice = ({ draft, onChange }: VariantChoiceProps) => (
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

/** The image's owner: `orgId` is GitHub's id of an organization, or 0 for the person. `image` is the current one. */
type ImageSubject = { orgId: number; image: Image | null };

/** A draft of a security image, which survives errors and reloads, and the function that saves it. */
function useImageEditor({ orgId, image }: ImageSubject) {
  const { api, session } = useClient();
  const { id } = useUser();
  const [changed, setChanged] = useTabState<Image>(`image:${id}:${orgId}`);
  const [suggestion] = useState(randomImage);
  const { pending, error, run } = useAction();
  const [info, setInfo] = useState('');
  const draft = changed ?? image ?? suggestion;

  const change = (part: Partial<Image>) => {
    if (pending) return;
    setInfo('');
    setChanged({ ...draft, ...part });
  };

  const save = () => {
    setInfo('');
    return run(async () => {
      const path = orgId === 0 ? '/personal-set-image' : '/github-set-image';
      await api.post(path, { orgID: orgId, image: draft });
      await session.refresh();
      setChanged(null);
      setInfo('Successfully set image');
    });
  };

  return {
    draft,
    pending,
    error,
    info,
    save,
    setVariant: (variant: Image['variant']) => change({ variant }),
    newColors: () => change({ colors: randomPalette(palettes) }),
    newShape: () => change({ name: randomName() }),
  };
}

const randomImage = (): Image => ({
  name: randomName(),
  colors: randomPalette(palettes),
  variant: 'marble',
});
