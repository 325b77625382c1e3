import { useLocation } from 'react-router-dom';
import { CHOOSE, imageLine, OWN_LINE } from '../lib/image-line.ts';
import { findOrganization } from '../lib/organizations.ts';
import { usePageContext, useUser } from '../lib/use-client.ts';
import { InternalLink } from './internal-link.tsx';
import { SecurityImage, SecurityImagePlace } from './security-image.tsx';
import styles from './security-images.module.css';
import { Skeleton } from './skeleton.tsx';

/**
 * The person's security image and the organization's, with a line that says what they're for. Every page that asks for
 * a code or a passkey shows them at the top, so that a page without them is suspicious.
 */
export function SecurityImages() {
  const user = useUser();
  const organization = findOrganization(user, usePageContext());
  const { before, name, after } = imageLine(user, organization);
  return (
    <div className={styles.images}>
      {user.image && <SecurityImage image={user.image} />}
      {organization?.image && <SecurityImage image={organization.image} />}
      <p>
        {before}
        {name && <bdi>{name}</bdi>}
        {after} {!user.image && <ChooseImage />}
      </p>
    </div>
  );
}

/** The place of one image and its line. */
export const SecurityImagesSkeleton = () => (
  <div className={styles.images}>
    <SecurityImagePlace />
    <p data-shell="line">
      <Skeleton like={OWN_LINE} />
    </p>
  </div>
);

function ChooseImage() {
  const { pathname, search } = useLocation();
  return (
    <>
      {CHOOSE[0]}{' '}
      <InternalLink to="/image" query={{ redirectURL: pathname + search }}>
        {CHOOSE[1]}
      </InternalLink>
    </>
  );
}
