import { useCallback } from 'react';
import { useParams } from 'react-router-dom';
import { type AuthenticatorType, authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import { Card } from '../../components/card.tsx';
import { ActionLink } from '../../components/controls.tsx';
import { FailedCard } from '../../components/load-failure.tsx';
import { SkeletonLine } from '../../components/text.tsx';
import { NO_AUTHENTICATOR } from '../../lib/api-client.ts';
import { type Authenticator, getAuthenticator } from '../../lib/authenticator.ts';
import { useRecordStore } from '../../lib/record-store.ts';
import { useLoaded } from '../../lib/use-client.ts';
import { AuthenticatorCard, viewTitle } from './authenticator-card.tsx';

/** `/authenticator/{authType}/{authId}`: shows one authenticator, to rename or delete it. */
export function AuthenticatorPage() {
  const { authType, authId } = useParams();
  const address = readAddress(authType, authId);
  if (!address) return <Invalid />;
  return <LoadedAuthenticator key={`${address.type}/${address.id}`} {...address} />;
}

function LoadedAuthenticator({ type, id }: Pick<Authenticator, 'type' | 'id'>) {
  const store = useRecordStore();
  const { loaded, setLoaded, reload } = useLoaded(
    useCallback(() => getAuthenticator(store, type, id), [store, type, id]),
  );
  if (loaded.status === 'awaiting') return <Loading type={type} />;
  // Passkeys and security keys share a collection, so the record may be of another type than the address says.
  const found = loaded.status === 'ok' && loaded.value.type === type && loaded.value;
  if (found) {
    return (
      <AuthenticatorCard
        authenticator={found}
        onRenamed={(label) => setLoaded({ status: 'ok', value: { ...found, label } })}
      />
    );
  }
  if (loaded.status === 'ok' || loaded.code === 'notFound') return <Invalid />;
  return <FailedCard title={viewTitle(type)} text={loaded.text} onRetry={reload} />;
}

/** Shown if the address names no authenticator that the person may see. */
const Invalid = () => (
  <Card title="Authenticator" banner={NO_AUTHENTICATOR}>
    <ActionLink to="/authenticators">My Authenticators</ActionLink>
  </Card>
);

const Loading = ({ type }: Pick<Authenticator, 'type'>) => (
  <Card title={viewTitle(type)} busy>
    <SkeletonLine like="A guess at the length of the facts about one authenticator, in a few lines." />
  </Card>
);

type Address = { type: AuthenticatorType; id: string };

/** Reads which authenticator the address names; null if it names none. */
export function readAddress(type = '', id = ''): Address | null {
  if (!Object.hasOwn(authenticatorKinds, type) || !/^[a-z0-9]{15}$/.test(id)) return null;
  return { type: type as AuthenticatorType, id };
}
