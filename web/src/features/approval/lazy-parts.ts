/** The parts that the approval page loads after itself. */
export { CopyHash } from './copy-hash.tsx';
export { NotYou } from './not-you.tsx';
export { PullDetails } from './pull-details.tsx';
