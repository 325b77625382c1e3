import type { GitHubConfig } from '../../settings/config.ts';
import { COLLECTIONS, type CollectionName, DEFINITIONS } from './collections.ts';
import type { CollectionDefinition } from './schema/definition.ts';
import { type Collection, collection } from './schema/fields.ts';
import { views } from './schema/views.ts';

/** A version of the record store, and every collection that a store of this version has. */
export type Schema = { version: number; collections(github: SignInConfig): Collection[] };

/**
 * Raise this with each change to a collection, build, and run `node scripts/write-schema.js`. `migrate` always applies
 * the whole schema, and makes a backup before an upgrade.
 */
export const SCHEMA_VERSION = 3;

/**
 * Every collection of the record store, with its rules and indexes, the users first. No rule lets a user create, update
 * or delete. Fields with key material are also hidden, so that a rule that is widened by mistake can't show them.
 */
export const collections = (github: SignInConfig): Collection[] => [
  { ...toCollection(['gh_users', COLLECTIONS.gh_users]), ...signInOptions(github) },
  ...DEFINITIONS.filter(([name]) => name !== 'gh_users').map(toCollection),
  ...views,
];

const toCollection = ([name, { fields, indexes, readers }]: [CollectionName, CollectionDefinition]) =>
  collection(name, fields, indexes, readers?.rule);

/** The schema that this version of OTP Guard uses. */
export const SCHEMA: Schema = { version: SCHEMA_VERSION, collections };

/** GitHub's addresses and the App's OAuth client. */
type SignInConfig = Pick<GitHubConfig, 'clientId' | 'clientSecret' | 'serverUrl' | 'apiUrl'>;

/** The ways to sign in: through GitHub alone, which also creates people. */
const signInOptions = (github: SignInConfig): Partial<Collection> => ({
  type: 'auth',
  // Without this condition anyone could create a person, with any GitHub id and a password.
  createRule: '@request.context = "oauth2"',
  authRule: '',
  manageRule: null,
  authAlert: { enabled: false },
  passwordAuth: { enabled: false, identityFields: ['email'] },
  otp: { enabled: false },
  mfa: { enabled: false },
  // The same as GitHub's user tokens for an App.
  authToken: { duration: 8 * 60 * 60 },
  oauth2: {
    enabled: true,
    mappedFields: { id: 'github_id', username: 'username', avatarURL: 'avatar', name: '' },
    providers: [
      {
        name: 'github',
        clientId: github.clientId,
        clientSecret: github.clientSecret,
        authURL: `${github.serverUrl}/login/oauth/authorize`,
        tokenURL: `${github.serverUrl}/login/oauth/access_token`,
        userInfoURL: `${github.apiUrl}/user`,
      },
    ],
  },
});
