import type { Need } from '../permission-need.ts';

const RUN = /^\/repos\/[^/]+\/[^/]+\/actions\/runs\/\d+/;

/** What GitHub lists under "Permissions required for GitHub Apps" for these requests. */
export const ACTIONS_NEEDS: readonly Need[] = [
  {
    method: /^POST$/,
    path: new RegExp(`${RUN.source}/(deployment_protection_rule|pending_deployments)$`),
    permission: 'deployments',
    level: 'write',
  },
  {
    method: /^POST$/,
    path: /^\/repos\/[^/]+\/[^/]+\/actions\//,
    permission: 'actions',
    level: 'write',
  },
  {
    method: /^GET$/,
    path: /^\/repos\/[^/]+\/[^/]+\/(actions|environments)\b(?!.*\/apps$)/,
    permission: 'actions',
    level: 'read',
    isPublic: true,
  },
  {
    method: /^GET$/,
    path: /^\/repos\/[^/]+\/[^/]+\/deployments\b/,
    permission: 'deployments',
    level: 'read',
    isPublic: true,
  },
];
