import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { Logo } from '../components/logo.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { ApprovalSkeleton } from '../features/approval/approval-skeleton.tsx';
import { Frame } from './frame.tsx';
import styles from './top-bar.module.css';

/** About as long as most. */
const LIKE = '/collect?owner=organization&repo=repository&pr=1234&title=What+this+pull+request+changes';

/**
 * The approval page while its code loads, as markup that the build puts into the page: it's painted before any script.
 * It knows nothing about the person, so it's only the places of what comes, and nobody can press anything in it.
 */
export const approvalShell = (): string =>
  renderToStaticMarkup(
    <>
      <p className="initializing visually-hidden" role="status">
        Initializing
      </p>
      <div className="shell" aria-hidden inert>
        <MemoryRouter initialEntries={[LIKE]}>
          <Frame bar={<Bar />}>
            <ApprovalSkeleton />
          </Frame>
        </MemoryRouter>
      </div>
    </>,
  );

const Bar = () => (
  <div className={styles.bar}>
    <span className={styles.home}>
      <Logo />
    </span>
    <span className={styles.scope}>
      <Skeleton like="Organization: organization" />
    </span>
  </div>
);
