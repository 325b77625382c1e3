import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import { Label } from '../../components/label.tsx';
import type { Authenticator } from '../../lib/authenticator.ts';

/** Reminds an organization's owner that the authenticator on the page belongs to someone else. */
export const OwnerNotice = ({ username, type }: Pick<Authenticator, 'username' | 'type'>) => (
  <p>
    This is {username ? <Holder username={username} /> : 'a former member'}
    's {authenticatorKinds[type].noun}.
  </p>
);

/** What a deletion by an owner means for the holder; nothing to say about a former member. */
export function DeletionNotice({ username }: Pick<Authenticator, 'username'>) {
  if (!username) return null;
  return (
    <p>
      If <Holder username={username} /> has a confirmed e-mail address, we'll send a message about it. Without
      another authenticator, <Holder username={username} /> registers a new first one in the way that your
      organization's policy asks for.
    </p>
  );
}

const Holder = ({ username }: Pick<Authenticator, 'username'>) => (
  <strong>
    <Label text={username} inline />
  </strong>
);
