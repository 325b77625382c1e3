import { Link } from 'react-router-dom';
import { safePath } from '../../lib/safe-url.ts';
import { useClient, usePageContext } from '../../lib/use-client.ts';
import styles from './image.module.css';

/** A link to the page that sent the person here, if there is one. */
export function BackLink() {
  const { config } = useClient();
  const path = safePath(usePageContext().redirectURL, config);
  return (
    path && (
      <Link className={styles.back} to={path}>
        Go back
      </Link>
    )
  );
}
