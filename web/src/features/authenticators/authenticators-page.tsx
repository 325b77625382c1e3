import {
  AuthenticatorTable,
  addedColumn,
  authenticatorColumn,
  lastUsedColumn,
  organizationColumn,
  typeColumn,
} from '../../components/authenticator-table.tsx';
import { Card } from '../../components/card.tsx';
import { ActionLink, InternalLink, quietActionLink } from '../../components/controls.tsx';
import { JustDone } from '../../components/just-done.tsx';
import { loadFailure } from '../../components/load-failure.tsx';
import { Label } from '../../components/text.tsx';
import { useLoaded } from '../../lib/react/queries.ts';
import { useRecordStore } from '../../lib/react/record-store.ts';
import { useUser } from '../../lib/react/use-client.ts';
import { countAuthenticators } from '../../lib/session/user.ts';
import { type Authenticator, listOwnAuthenticators } from '../../lib/signing/authenticator.ts';
import styles from './authenticators.module.css';

const COLUMNS = [typeColumn, authenticatorColumn(), organizationColumn, addedColumn, lastUsedColumn];

/** `/authenticators`: the person's authenticators in all their organizations. */
export function AuthenticatorsPage() {
  const store = useRecordStore();
  const user = useUser();
  const { id, authenticators } = user;
  const { loaded, reload } = useLoaded(['own authenticators', id], () => listOwnAuthenticators(store, id));
  const isLoading = loaded.status === 'awaiting';
  return (
    <div className={styles.page}>
      <Card title="My Authenticators" wide busy={isLoading} banner={loadFailure(loaded, reload)}>
        <JustDone />
        {isLoading && (
          <AuthenticatorTable columns={COLUMNS} authenticators={null} expected={countAuthenticators(user)} />
        )}
        {loaded.status === 'ok' &&
          (loaded.value.length > 0 ? (
            <AuthenticatorTable columns={COLUMNS} authenticators={loaded.value} />
          ) : (
            <p>You don't have an authenticator yet. Register one to approve pull requests.</p>
          ))}
        {/* Shown with the list, which would move them. */}
        {!isLoading && (
          <>
            <ActionLink
              to="/select-org"
              query={{ redirectURL: '/authenticators', target: '/register', stepUp: null }}
            >
              Register New Authenticator
            </ActionLink>
            {Object.values(authenticators).some(({ webauthn }) => webauthn.length > 0) && <SecondDevice />}
            <p>
              <InternalLink to="/authenticator-types">About the authenticator types</InternalLink>
            </p>
          </>
        )}
        {loaded.status === 'ok' && <OnlyOne authenticators={loaded.value} />}
      </Card>
    </div>
  );
}

/** A reminder about the organizations where the person would be locked out without their only authenticator. */
function OnlyOne({ authenticators }: { authenticators: Authenticator[] }) {
  const single = organizationsWithOne(authenticators);
  if (single.length === 0) return null;
  return (
    <p>
      You have only one authenticator in <Label text={new Intl.ListFormat('en').format(single)} inline />. If
      you lose it, you can't approve there until an owner helps. Register a second one.
    </p>
  );
}

/** Another device is confirmed with a passkey or security key. */
const SecondDevice = () => (
  <InternalLink
    className={quietActionLink}
    to="/select-org"
    query={{ redirectURL: '/authenticators', target: '/add-device', stepUp: null }}
  >
    Add a second device
  </InternalLink>
);

/** The names of the organizations in which exactly one of these authenticators counts, sorted. */
export function organizationsWithOne(authenticators: Pick<Authenticator, 'org' | 'pending'>[]): string[] {
  const names = authenticators.filter(({ pending }) => pending === '').map(({ org }) => org.name);
  return [...new Set(names)].filter((name) => names.filter((other) => other === name).length === 1).sort();
}
