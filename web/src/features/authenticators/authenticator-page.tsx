import { useParams } from 'react-router-dom';
import { type AuthenticatorType, authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import { Card } from '../../components/card.tsx';
import { ActionLink } from '../../components/controls.tsx';
import { FailedCard } from '../../components/load-failure.tsx';
import { SkeletonLine } from '../../components/text.tsx';
import { useLoaded } from '../../lib/react/queries.ts';
import { useRecordStore } from '../../lib/react/record-store.ts';
import { type Authenticator, getAuthenticator } from '../../lib/signing/authenticator.ts';
import { AuthenticatorCard, EDIT } from './authenticator-card.tsx';

/** `/authenticator/{authType}/{authId}`: shows one authenticator, to rename or delete it. */
export function AuthenticatorPage() {
  const { authType, authId } = useParams();
  const address = readAddress(authType, authId);
  if ('invalid' in address) return <Invalid text={address.invalid} />;
  return <LoadedAuthenticator key={`${address.type}/${address.id}`} {...address} />;
}

function LoadedAuthenticator({ type, id }: Pick<Authenticator, 'type' | 'id'>) {
  const store = useRecordStore();
  const { loaded, change, reload } = useLoaded(['authenticator', type, id], () =>
    getAuthenticator(store, type, id),
  );
  if (loaded.status === 'awaiting') return <Loading />;
  // Passkeys and security keys share a collection, so the record may be of another type than the address says.
  const found = loaded.status === 'ok' && loaded.value.type === type && loaded.value;
  if (found) {
    return (
      <AuthenticatorCard authenticator={found} onRenamed={(label) => change(() => ({ ...found, label }))} />
    );
  }
  if (loaded.status === 'ok' || loaded.code === 'notFound')
    return <Invalid text="Invalid Authenticator ID" />;
  return <FailedCard title={EDIT} text={loaded.text} onRetry={reload} />;
}

/** Shown if the address names no authenticator that the person may see. */
const Invalid = ({ text }: { text: string }) => (
  <Card title={EDIT} banner={`${text}\n${FIND_IT}`}>
    <ActionLink to="/authenticators">My Authenticators</ActionLink>
  </Card>
);

const Loading = () => (
  <Card title={EDIT} busy>
    <SkeletonLine like="A guess at the length of the facts about one authenticator, in a few lines." />
  </Card>
);

const FIND_IT =
  "There's no such authenticator, or it isn't one of yours. It may have been deleted: your list has those that are left.";

type Address = Pick<Authenticator, 'type' | 'id'>;

/** Reads which authenticator the address names, or which part of it names none. */
export function readAddress(type = '', id = ''): Address | { invalid: string } {
  if (!Object.hasOwn(authenticatorKinds, type)) return { invalid: 'invalid authenticator type' };
  if (!/^[a-z0-9]{15}$/.test(id)) return { invalid: 'invalid authenticator id' };
  return { type: type as AuthenticatorType, id };
}
