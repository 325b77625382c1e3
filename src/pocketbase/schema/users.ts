import type { GitHubConfig } from '../../settings/config.ts';
import { type Collection, collection, created, date, hidden, json, number, text, updated } from '../collections/fields.ts';
import { myMemberships, signedIn } from '../collections/read-rules.ts';

/** What sign-in needs to know about GitHub. */
export type SignInConfig = Pick<GitHubConfig, 'clientId' | 'clientSecret' | 'serverUrl' | 'apiUrl'>;

/** The people who have signed in. GitHub's sign-in is the only way to create one. */
export function usersCollection(github: SignInConfig): Collection {
  return {
    ...collection(
      'gh_users',
      [
        number('github_id'),
        text('username'),
        text('avatar'),
        // Private: the server adds these to the person's own record, and shows them to nobody else.
        json('image', hidden),
        text('address', { ...hidden, max: 254 }),
        // When they want e-mails about pull requests that wait for them, and since when; empty means never.
        text('notice_choice', { ...hidden, max: 20 }),
        { ...date('notice_chosen'), ...hidden },
        { name: 'email', type: 'email', system: true, required: false },
        created,
        updated,
      ],
      // SQLite uses the first one only for conditions that say "not 0".
      ['UNIQUE github_id WHERE github_id != 0', 'notice_choice', 'github_id'],
      // Shows id, GitHub id, login and picture to the person and to members of the same organization.
      `${signedIn} && (id = @request.auth.id || org_members_via_user.org ?= ${myMemberships}.org)`,
    ),
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
  };
}
