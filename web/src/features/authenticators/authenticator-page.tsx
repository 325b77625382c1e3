import { useCallback } from 'react';
import { useParams } from 'react-router-dom';
import { Banner } from '../../components/banner.tsx';
import { actionLink, Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { KeptLink } from '../../components/kept-link.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Authenticator, getAuthenticator } from '../../lib/authenticator-records.ts';
import { useClient } from '../../lib/use-client.ts';
import { useLoaded } from '../../lib/use-loaded.ts';
import { AuthenticatorCard, TITLE } from './authenticator-card.tsx';
import { readAddress } from './read-address.ts';

const NOT_FOUND = 'Invalid Authenticator ID';

/** `/authenticator/{authType}/{authId}`: one authenticator of the person, to rename and to delete. */
export function AuthenticatorPage() {
  const { authType, authId } = useParams();
  const address = readAddress(authType, authId);
  if ('invalid' in address) return <Invalid text={address.invalid} />;
  return <LoadedAuthenticator key={`${address.type}/${address.id}`} {...address} />;
}

function LoadedAuthenticator({ type, id }: Pick<Authenticator, 'type' | 'id'>) {
  const { store } = useClient();
  const { loaded, setLoaded, reload } = useLoaded(
    useCallback(() => getAuthenticator(store, type, id), [store, type, id]),
  );
  if (loaded.status === 'awaiting') return <Loading />;
  // A passkey under the address of a security key is not what the address says.
  const found = loaded.status === 'ok' && loaded.value.type === type && loaded.value;
  if (found) {
    return (
      <AuthenticatorCard
        authenticator={found}
        onRenamed={(label) => setLoaded({ status: 'ok', value: { ...found, label } })}
      />
    );
  }
  if (loaded.status === 'ok' || loaded.code === 404) return <Invalid text={NOT_FOUND} />;
  return (
    <Card title={TITLE.view} banner={<Banner text={loaded.text} />}>
      <Button onClick={reload}>Try again</Button>
    </Card>
  );
}

/** For an address that names no authenticator which the person may see. */
const Invalid = ({ text }: { text: string }) => (
  <Card title={TITLE.view} banner={<Banner text={text} />}>
    <KeptLink className={actionLink} to="/authenticators">
      My Authenticators
    </KeptLink>
  </Card>
);

const Loading = () => (
  <Card title={TITLE.view} busy>
    <p>
      <Skeleton like="The kind, the label, the organization and the day, in a few lines that are about so long." />
    </p>
  </Card>
);
