import { usePageContext, useUser } from '../lib/react/use-client.ts';
import { findOrganization } from '../lib/session/user.ts';
import { SecurityImage } from './security-image.tsx';
import styles from './security-images.module.css';

/**
 * The person's security image and the organization's, with a line that says what they're for. Every page that asks for
 * a code or a passkey shows them at the top, so that a page without them is suspicious.
 */
export function SecurityImages() {
  const user = useUser();
  const organization = findOrganization(user, usePageContext());
  const own = user.image && <SecurityImage image={user.image} />;
  const others = organization?.image && <SecurityImage image={organization.image} />;
  // The page after an approval invites a person without an image to choose one.
  if (!own && !others) return null;
  return (
    <div className={`row gap-3 ${styles.images}`}>
      {own}
      {others}
      <p className="quiet">
        {others ? (
          <>
            {own ? 'Your security image and that of ' : 'The security image of '}
            <bdi>{organization.name}</bdi>. {own ? BOTH_LINE : ONE_LINE}
          </>
        ) : (
          OWN_LINE
        )}
      </p>
    </div>
  );
}

const OWN_LINE = "Your security image. If it isn't the one you chose, this isn't OTP Guard.";
const ONE_LINE = "If it isn't the one you know, this isn't OTP Guard.";
const BOTH_LINE = "If they aren't the ones you know, this isn't OTP Guard.";
