/** Both sides of a vouch share a chunk. */
export { VouchPage } from './vouch-page.tsx';
export { WaitingPage } from './waiting-page.tsx';
