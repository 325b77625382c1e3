/** The two image pages share a chunk. */
export { ImagePage, OrganizationImagePage } from './organization-image-page.tsx';
