import type { GitHubConfig } from '../../../settings/config.ts';
import type { Collection } from './fields.ts';

/** What sign-in needs to know about GitHub. */
export type SignInConfig = Pick<GitHubConfig, 'clientId' | 'clientSecret' | 'serverUrl' | 'apiUrl'>;

/** How people sign in: through GitHub alone, which also creates them. */
export const signInOptions = (github: SignInConfig): Partial<Collection> => ({
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
