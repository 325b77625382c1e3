import { HomePage } from '../features/home/home-page.tsx';
import { Inbox } from '../features/inbox/inbox.tsx';

/** The inbox leads there, so both share a chunk. */
export { BatchPage } from '../features/batch/batch-page.tsx';

/** `/`: the inbox and the account. */
export const HomeRoute = () => (
  <HomePage>
    <Inbox />
  </HomePage>
);
