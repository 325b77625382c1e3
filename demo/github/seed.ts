import type { SeedConfig } from 'emulate';
import { NEEDED } from '../../src/protection/permissions.ts';
import { APP, type Credentials } from './credentials.ts';
import type { AppAccess } from './github-objects.ts';

/** The organizations and repositories that the local GitHub starts with. */
export const SEED = {
  org: 'octo-org',
  repo: 'hello',
  installation: 5_000_001,
  /** A private repository of `org`, if it's wanted. */
  vault: 'vault',
  otherOrg: 'other-org',
  otherRepo: 'world',
  otherInstallation: 5_000_002,
  check: 'OTP Guard',
} as const;

export const EVENTS = [
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

/** Further permissions and events that OTP Guard may ask for, to see the protection of a branch and its changes. */
export const OPTIONAL: AppAccess = {
  permissions: { administration: 'read', deployments: 'read' },
  events: ['branch_protection_configuration', 'deploy_key', 'repository_ruleset'],
};

/** What an App needs to gate deployments (GitHub: "Creating custom deployment protection rules"). */
export const GATING: AppAccess = {
  permissions: { actions: 'read', deployments: 'write' },
  events: ['deployment_protection_rule'],
};

/** Additional members, repositories and open pull requests, to see a large organization. */
export type Crowd = { members: number; repositories: number; pulls?: number };

const numbered = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name}-${String(index + 1).padStart(4, '0')}`);

/** The full names of the organization's repositories. */
export const reposOf = ({ repositories }: Crowd): string[] =>
  [SEED.repo, ...numbered(repositories, 'repository')].map((name) => `${SEED.org}/${name}`);

/** The emulator's seed: people, organizations, repositories, the App and its OAuth client. */
export function seedFor(input: {
  credentials: Credentials;
  publicUrl: string;
  webhookUrl: string;
  crowd: Crowd;
  hasVault: boolean;
  /** The App's key in PEM; the emulator makes one if there is none. */
  privateKey?: string | undefined;
}): SeedConfig {
  const { credentials, crowd } = input;
  const bots = Object.entries(credentials.botTokens);
  const crowdLogins = numbered(crowd.members, 'member');
  const admin = ['repo', 'user', 'admin:org', 'admin:repo_hook'];
  const asOctocat = [credentials.adminToken, ...credentials.serviceTokens];
  return {
    tokens: {
      ...Object.fromEntries(asOctocat.map((token) => [token, { login: 'octocat', scopes: admin }])),
      [credentials.monaToken]: { login: 'mona', scopes: ['repo'] },
      ...Object.fromEntries(bots.map(([login, token]) => [token, { login, scopes: ['repo'] }])),
    },
    github: {
      users: [
        // The emulator treats an unknown token as the first user of this list, so that user has no rights.
        { login: 'ghost' },
        { login: 'octocat', name: 'The Octocat', email: 'octocat@example.org' },
        { login: 'mona', name: 'Mona Lisa', email: 'mona@example.org' },
        { login: 'hubot', name: 'Hubot', email: 'hubot@example.org' },
        ...crowdLogins.map((login) => ({ login, email: `${login}@example.org` })),
        ...bots.map(([login]) => ({ login })),
      ],
      orgs: [
        {
          login: SEED.org,
          name: 'Octo Org',
          members: [
            { login: 'octocat', role: 'admin' },
            { login: 'mona', role: 'member' },
            ...crowdLogins.map((login) => ({ login, role: 'member' as const })),
          ],
        },
        {
          login: SEED.otherOrg,
          name: 'Other Org',
          members: [
            { login: 'octocat', role: 'admin' },
            { login: 'hubot', role: 'member' },
          ],
        },
      ],
      repos: [
        { owner: SEED.org, name: SEED.repo, description: 'Says hello', auto_init: true },
        ...(input.hasVault ? [{ owner: SEED.org, name: SEED.vault, private: true, auto_init: true }] : []),
        ...numbered(crowd.repositories, 'repository').map((name) => ({ owner: SEED.org, name })),
        { owner: SEED.otherOrg, name: SEED.otherRepo, description: 'Is greeted', auto_init: true },
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
          permissions: NEEDED,
          events: EVENTS,
          ...(input.privateKey !== undefined && { private_key: input.privateKey }),
          webhook_url: input.webhookUrl,
          installations: [
            { installation_id: SEED.installation, account: SEED.org },
            { installation_id: SEED.otherInstallation, account: SEED.otherOrg },
          ],
        },
      ],
    },
  };
}
