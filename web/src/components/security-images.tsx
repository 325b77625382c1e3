import { usePageContext, useUser } from '../lib/react/use-client.ts';
import { findOrganization, type Organization, type User } from '../lib/session/user.ts';
import { SecurityImage } from './security-image.tsx';
import styles from './security-images.module.css';

/**
 * The person's security image and the organization's, with a line that says what they're for. Every page that asks for
 * a code or a passkey shows them at the top, so that a page without them is suspicious.
 */
export function SecurityImages() {
  const user = useUser();
  const organization = findOrganization(user, usePageContext());
  const { before, name, after } = imageLine(user, organization);
  if (!before) return null;
  return (
    <div className={`row gap-3 ${styles.images}`}>
      {user.image && <SecurityImage image={user.image} />}
      {organization?.image && <SecurityImage image={organization.image} />}
      <p className="quiet">
        {before}
        {name && <bdi>{name}</bdi>}
        {after}
      </p>
    </div>
  );
}

/** Explains the security images next to them. `name` is the organization's, between the other parts. */
type ImageLine = { before: string; name: string; after: string };

const OWN_LINE = "Your security image. If it isn't the one you chose, this isn't OTP Guard.";
const ONE_LINE = "If it isn't the one you know, this isn't OTP Guard.";
const BOTH_LINE = "If they aren't the ones you know, this isn't OTP Guard.";

/** Empty if there is no image. The page after an approval invites the person to choose one. */
function imageLine({ image }: Pick<User, 'image'>, organization: Organization | null): ImageLine {
  if (!organization?.image) return { before: image ? OWN_LINE : '', name: '', after: '' };
  const before = image ? 'Your security image and that of ' : 'The security image of ';
  return { before, name: organization.name, after: `. ${image ? BOTH_LINE : ONE_LINE}` };
}
