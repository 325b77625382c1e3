import { useCallback } from 'react';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { OrganizationMembersAnswer } from '../../../../src/contract/organization.ts';
import { Label } from '../../components/label.tsx';
import type { Authenticator } from '../../lib/authenticator.ts';
import { useClient } from '../../lib/use-client.ts';
import { useLoaded } from '../../lib/use-loaded.ts';

/** Reminds an organization's owner that the authenticator on the page belongs to someone else. */
export const OwnerNotice = ({ username, type }: Pick<Authenticator, 'username' | 'type'>) => (
  <p>
    This is {username ? <Holder username={username} /> : 'a former member'}
    's {authenticatorKinds[type].noun}.
  </p>
);

/** Says what a deletion by an owner means for the holder; nothing to say about a former member. */
export function DeletionNotice({ username, org }: Pick<Authenticator, 'username' | 'org'>) {
  const hasAddress = useHasAddress(org.orgId, username);
  if (!username) return null;
  const holder = <Holder username={username} />;
  return (
    <p>
      {hasAddress === null && <>If {holder} has a confirmed e-mail address, we'll send a message about it.</>}
      {hasAddress === true && <>We'll send {holder} an e-mail about it.</>}
      {hasAddress === false && (
        <>{holder} confirmed no e-mail address, so we can't send a message: say it yourself.</>
      )}{' '}
      Without another authenticator, {holder} registers a new first one in the way that your organization's
      policy asks for.
    </p>
  );
}

/** Whether a member gets e-mails; null until the server said so, and if it can't. */
function useHasAddress(orgID: string, username: string): boolean | null {
  const { api } = useClient();
  const { loaded } = useLoaded(
    useCallback(async () => {
      if (!username) return null;
      const query = { orgID, state: 'all', search: username };
      const { members } = await api.post<OrganizationMembersAnswer>('/organization-members', query);
      return members.find(({ login }) => login === username)?.hasAddress ?? null;
    }, [api, orgID, username]),
  );
  return loaded.status === 'ok' ? loaded.value : null;
}

const Holder = ({ username }: Pick<Authenticator, 'username'>) => (
  <strong>
    <Label text={username} inline />
  </strong>
);
