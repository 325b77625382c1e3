import { useLocation } from 'react-router-dom';
import { findOrganization } from '../lib/organizations.ts';
import { usePageContext, useUser } from '../lib/use-client.ts';
import { KeptLink } from './kept-link.tsx';
import styles from './known-images.module.css';
import { SecurityImage } from './security-image.tsx';

const OWN_LINE = 'Your security image. If it is not the one you chose, this is not OTP Guard.';
const ONE_LINE = 'If it is not the one you know, this is not OTP Guard.';
const BOTH_LINE = 'If they are not the ones you know, this is not OTP Guard.';

/**
 * The security images of the person and of the organization in the address, with the line that says what they are for:
 * at the top of every page that asks for a code or a key.
 */
export function KnownImages() {
  const user = useUser();
  const organization = findOrganization(user, usePageContext());
  return (
    <div className={styles.images}>
      {user.image && <SecurityImage image={user.image} />}
      {organization?.image && <SecurityImage image={organization.image} />}
      <p>
        {organization?.image ? (
          <>
            {user.image ? 'Your security image and that of ' : 'The security image of '}
            <bdi>{organization.name}</bdi>. {user.image ? BOTH_LINE : ONE_LINE}
          </>
        ) : (
          user.image && OWN_LINE
        )}{' '}
        {!user.image && <Choose />}
      </p>
    </div>
  );
}

function Choose() {
  const { pathname, search } = useLocation();
  return (
    <>
      You have no security image of your own.{' '}
      <KeptLink to="/image" query={{ redirectURL: pathname + search }}>
        Choose one
      </KeptLink>
    </>
  );
}
