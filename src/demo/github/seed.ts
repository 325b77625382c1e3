import type { SeedConfig } from 'emulate';
import { APP, type Credentials } from './credentials.ts';

/** Names of the world that the local GitHub begins with. */
export const WORLD = {
  org: 'octo-org',
  repo: 'hello',
  installation: 5_000_001,
  otherOrg: 'other-org',
  otherRepo: 'world',
  otherInstallation: 5_000_002,
  check: 'OTP Guard',
} as const;

const EVENTS = [
  'branch_protection_rule',
  'check_run',
  'check_suite',
  'create',
  'delete',
  'issue_comment',
  'member',
  'membership',
  'merge_group',
  'organization',
  'pull_request',
  'pull_request_review',
  'push',
  'repository',
  'team',
];

const PERMISSIONS = {
  checks: 'write',
  members: 'read',
  merge_queues: 'read',
  metadata: 'read',
  pull_requests: 'read',
  single_file: 'read',
};

/** People, organizations, repositories, the App and its OAuth client, in the emulator's own form. */
export function seedFor(input: { credentials: Credentials; publicUrl: string; hookUrl: string }): SeedConfig {
  const { credentials } = input;
  const admin = ['repo', 'user', 'admin:org', 'admin:repo_hook'];
  const asOctocat = [credentials.adminToken, ...credentials.serviceTokens];
  return {
    tokens: {
      ...Object.fromEntries(asOctocat.map((token) => [token, { login: 'octocat', scopes: admin }])),
      [credentials.monaToken]: { login: 'mona', scopes: ['repo'] },
    },
    github: {
      users: [
        // The emulator answers unknown tokens as the first user of this list: let that be nobody.
        { login: 'ghost' },
        { login: 'octocat', name: 'The Octocat', email: 'octocat@example.org' },
        { login: 'mona', name: 'Mona Lisa', email: 'mona@example.org' },
        { login: 'hubot', name: 'Hubot', email: 'hubot@example.org' },
      ],
      orgs: [
        {
          login: WORLD.org,
          name: 'Octo Org',
          members: [
            { login: 'octocat', role: 'admin' },
            { login: 'mona', role: 'member' },
          ],
        },
        {
          login: WORLD.otherOrg,
          name: 'Other Org',
          members: [
            { login: 'octocat', role: 'admin' },
            { login: 'hubot', role: 'member' },
          ],
        },
      ],
      repos: [
        { owner: WORLD.org, name: WORLD.repo, description: 'Says hello', auto_init: true },
        { owner: WORLD.otherOrg, name: WORLD.otherRepo, description: 'Is greeted', auto_init: true },
      ],
      oauth_apps: [
        {
          client_id: credentials.clientID,
          client_secret: credentials.clientSecret,
          name: APP.name,
          redirect_uris: [`${input.publicUrl}/oauth`],
        },
      ],
      apps: [
        {
          app_id: APP.id,
          slug: APP.slug,
          name: APP.name,
          permissions: PERMISSIONS,
          events: EVENTS,
          webhook_url: input.hookUrl,
          installations: [
            { installation_id: WORLD.installation, account: WORLD.org },
            { installation_id: WORLD.otherInstallation, account: WORLD.otherOrg },
          ],
        },
      ],
    },
  };
}
