import type { AuthenticatorType } from '../../../../src/contract/authenticators.ts';
import { Label } from '../../components/label.tsx';
import type { Authenticator } from '../../lib/authenticator-records.ts';

const NOUNS: Record<AuthenticatorType, string> = {
  totp: 'one-time code app',
  passkey: 'passkey',
  'security-key': 'security key',
};

/** Says that an authenticator is somebody else's, to an owner of their organization. */
export const Whose = ({ username, type }: Pick<Authenticator, 'username' | 'type'>) => (
  <p>
    This is {username ? <Person username={username} /> : 'a former member'}
    's {NOUNS[type]}.
  </p>
);

/** What a deletion means for them; nothing for who has left. */
export function Consequence({ username }: Pick<Authenticator, 'username'>) {
  if (!username) return null;
  return (
    <p>
      <Person username={username} /> is told that you deleted it. Without another authenticator,{' '}
      <Person username={username} /> can register a new first one with a GitHub sign-in.
    </p>
  );
}

const Person = ({ username }: Pick<Authenticator, 'username'>) => (
  <strong>
    <Label text={username} inline />
  </strong>
);
