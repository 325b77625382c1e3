export { ImagePage } from './image-page.tsx';
export { OrganizationImagePage } from './organization-image-page.tsx';
