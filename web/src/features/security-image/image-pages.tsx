import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { ChooseOrganization } from '../../components/choose-organization.tsx';
import { Label } from '../../components/label.tsx';
import { SecurityImage } from '../../components/security-image.tsx';
import { findOrganization } from '../../lib/organizations.ts';
import { usePageContext, useUser } from '../../lib/use-client.ts';
import type { Organization } from '../../lib/user.ts';
import styles from './image.module.css';
import { ImageEditor } from './image-editor.tsx';

const TITLE = 'Organization image';
const MISSING = 'Missing org name or ID\nChoose one of yours.';

/** `/org/image`: an organization's security image. Owners set it, members see it. */
export function OrganizationImagePage() {
  const context = usePageContext();
  const organization = findOrganization(useUser(), context);
  if (!context.owner || !context.ownerID) return <Refused text={MISSING} />;
  if (!organization) return <Refused text="You aren't a member of this organization on OTP Guard." />;
  if (organization.role !== 'admin') return <ForMembers {...organization} />;
  return (
    <ImageEditor key={organization.orgId} title={TITLE} subject={organization}>
      Members of <Label text={organization.name} /> see this image next to their own whenever OTP Guard asks
      them for a passkey or a code.
    </ImageEditor>
  );
}

const Refused = ({ text }: { text: string }) => (
  <Card title={TITLE} banner={<Banner text={text} />}>
    <ChooseOrganization />
  </Card>
);

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
