import type { Organization } from '../../../lib/user.ts';

type DeskPage = { name: string; path: `/org${string}` };

const OVERVIEW: DeskPage = { name: 'Overview', path: '/org' };
const WORK: DeskPage[] = [
  { name: 'Pull requests', path: '/org/pulls' },
  { name: 'Members', path: '/org/members' },
];
const SHARED: DeskPage[] = [
  { name: 'Repositories', path: '/org/repositories' },
  { name: 'Authenticators', path: '/org/authenticators' },
  { name: 'Policy', path: '/org/policy' },
  { name: 'Log', path: '/org/log' },
];
const SETTINGS: DeskPage[] = [
  { name: 'Image', path: '/org/image' },
  { name: 'Webhooks', path: '/org/hooks' },
];

/** The pages of an organization that its navigation lists; some are for owners only. */
export const deskPages = (role: Organization['role']): DeskPage[] =>
  role === 'admin' ? [OVERVIEW, ...WORK, ...SHARED, ...SETTINGS] : [OVERVIEW, ...SHARED];
