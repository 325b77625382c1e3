/** The two image pages share a chunk. */
export { ImagePage } from './image-page.tsx';
export { OrganizationImagePage } from './organization-image-page.tsx';
