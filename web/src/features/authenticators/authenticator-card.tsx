import { Link } from 'react-router-dom';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import { ActionError } from '../../components/action-error.tsx';
import { Kind, storageText } from '../../components/authenticator-table.tsx';
import { Card } from '../../components/card.tsx';
import { Button, LoginLink, SecondaryButton } from '../../components/controls.tsx';
import { Detail } from '../../components/detail.tsx';
import { StepUp } from '../../components/step-up.tsx';
import { Ago, Day, Label } from '../../components/text.tsx';
import { keepQuery } from '../../lib/address/page-context.ts';
import { usePageContext, useUser } from '../../lib/react/use-client.ts';
import { useSafeRedirect } from '../../lib/react/use-safe-redirect.ts';
import { useStepFocus } from '../../lib/react/use-step-focus.ts';
import type { Authenticator } from '../../lib/signing/authenticator.ts';
import { enrolledText } from '../../lib/signing/enrolment.ts';
import { RemovalReason } from './removal-reason.tsx';
import { RenameForm } from './rename-form.tsx';
import { type Removal, useRemoval } from './use-removal.ts';

/** The page's title until a deletion starts. */
export const EDIT = 'Edit Authenticator';

type Props = { authenticator: Authenticator; onRenamed: (label: string) => void };

/** One authenticator: its facts, a form for its label, and its deletion. */
export function AuthenticatorCard({ authenticator, onRenamed }: Props) {
  const { redirectURL, installation } = usePageContext();
  const isOwn = authenticator.userId === useUser().id;
  const listPath = isOwn ? '/authenticators' : organizationListPath(authenticator, installation);
  const redirect = useSafeRedirect(listPath);
  const removal = useRemoval(authenticator, () => redirect(redirectURL || listPath, { done: 'deleted' }));
  const { mode, failure } = removal;
  const panel = useStepFocus<HTMLDivElement>(mode);

  return (
    <Card title={mode === 'view' ? EDIT : 'Delete Authenticator'} busy={mode === 'deleting'}>
      {!isOwn && <OwnerNotice {...authenticator} />}
      <AuthenticatorDetails authenticator={authenticator} />
      <div ref={panel} className="stack" tabIndex={-1}>
        {mode === 'view' && (
          <>
            {isOwn && authenticatorKinds[authenticator.type].isRenamable && (
              <RenameForm authenticator={authenticator} onRenamed={onRenamed} />
            )}
            <ActionError text={failure} />
            <Button variant="danger" onClick={() => removal.enter('stepUp')}>
              Delete Authenticator
            </Button>
            <Link className="target" to={listPath}>
              {isOwn ? 'My Authenticators' : `Authenticators of ${authenticator.org.name}`}
            </Link>
          </>
        )}
        {mode === 'stepUp' && <DeletionStep authenticator={authenticator} removal={removal} isOwn={isOwn} />}
        {mode === 'deleting' && <p role="status">deleting authenticator</p>}
      </div>
    </Card>
  );
}

type DeletionProps = { authenticator: Authenticator; removal: Removal; isOwn: boolean };

/** Asks for the proof that a deletion needs. */
const DeletionStep = ({ authenticator, removal, isOwn }: DeletionProps) => (
  <>
    {!isOwn && <DeletionNotice {...authenticator} />}
    <RemovalReason authenticator={authenticator} onChange={removal.setLostSince} />
    <StepUp variant="danger" {...removal.form}>
      Before deleting this authenticator, confirm that it's you.
    </StepUp>
    <SecondaryButton onClick={() => removal.enter('view')}>Cancel</SecondaryButton>
  </>
);

/** The list in which an owner found someone else's authenticator. */
const organizationListPath = ({ org }: Authenticator, installation: string) =>
  keepQuery('/org/authenticators', '', {
    owner: org.name,
    ownerID: org.orgId,
    installation: installation || null,
  });

/** The facts about one authenticator, as a list. */
function AuthenticatorDetails({ authenticator }: { authenticator: Authenticator }) {
  const { type, label, org, created, lastUsed, model, synced } = authenticator;
  const { id: userId } = useUser();
  return (
    <dl className="details">
      <Detail name="Type">
        <Kind type={type} />
      </Detail>
      <Detail name="Authenticator">
        <Label text={label} />
      </Detail>
      <Detail name="Org">
        <LoginLink login={org.name}>
          <Label text={org.name} />
        </LoginLink>
      </Detail>
      <Detail name="Added">
        <Day at={created} />
      </Detail>
      <Detail name="Enrolment">{enrolledText(authenticator, userId)}</Detail>
      <Detail name="Last used">{lastUsed ? <Ago at={lastUsed} /> : 'Never'}</Detail>
      {model && (
        <Detail name="Model">
          <Label text={model} />
        </Detail>
      )}
      {synced !== null && <Detail name="Stored">{storageText(synced)}</Detail>}
    </dl>
  );
}

/** Reminds an organization's owner that the authenticator on the page belongs to someone else. */
const OwnerNotice = ({ username, type }: Pick<Authenticator, 'username' | 'type'>) => (
  <p>
    This is {username ? <Holder username={username} /> : 'a former member'}
    's {authenticatorKinds[type].noun}.
  </p>
);

/** Says what a deletion by an owner means for the holder; nothing to say about a former member. */
function DeletionNotice({ username }: Pick<Authenticator, 'username'>) {
  if (!username) return null;
  const holder = <Holder username={username} />;
  return (
    <p>
      If {holder} has a confirmed e-mail address, we'll send a message about it. Without another
      authenticator, {holder} registers a new first one in the way that your organization's policy asks for.
    </p>
  );
}

const Holder = ({ username }: Pick<Authenticator, 'username'>) => <Label text={username} strong />;
