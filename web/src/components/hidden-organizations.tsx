import { readHiddenOrganizations } from '../lib/address/hidden-organizations.ts';
import { useLoaded } from '../lib/react/queries.ts';
import { useClient } from '../lib/react/use-client.ts';
import { GithubLink } from './controls.tsx';
import { Notice } from './notice.tsx';
import { Label } from './text.tsx';

/** Says which organizations GitHub hides until the person used their single sign-on, and links there. */
export function HiddenOrganizations() {
  const { config, session } = useClient();
  const { loaded } = useLoaded(['hidden organizations'], async () => {
    const token = session.accessToken();
    return token ? readHiddenOrganizations(config, token) : [];
  });
  const hidden = loaded.status === 'ok' ? loaded.value : [];
  if (hidden.length === 0) return null;
  return (
    <Notice variant="info">
      {hidden.map(({ key, name, url }) => (
        <p key={key}>
          GitHub hides {name ? <Label text={name} inline /> : 'an organization'} until you use its single
          sign-on.{' '}
          {url && (
            <GithubLink href={url} newTab>
              Single sign-on{name && ` for ${name}`}
            </GithubLink>
          )}
        </p>
      ))}
      <p>Then sign out of OTP Guard and sign in again.</p>
    </Notice>
  );
}

/** Shown instead of an empty list of organizations. */
export function NoOrganizations() {
  const { install } = useClient().config;
  return (
    <p>No GitHub organizations enrolled yet. {install && <GithubLink href={install}>Add one</GithubLink>}</p>
  );
}
