import { useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { done } from '../../components/outlines.ts';
import { StepUp } from '../../components/step-up.tsx';
import type { Authenticator } from '../../lib/authenticator-records.ts';
import { keepQuery } from '../../lib/page-context.ts';
import { NO_AUTHENTICATORS, type Proof, stepUpMethod } from '../../lib/step-up.ts';
import { usePageContext, useUser } from '../../lib/use-client.ts';
import { useGo } from '../../lib/use-go.ts';
import { useStepFocus } from '../../lib/use-step-focus.ts';
import { authenticatorsOf } from '../../lib/user.ts';
import { AuthenticatorFacts } from './authenticator-facts.tsx';
import styles from './authenticators.module.css';
import { Rename } from './rename.tsx';
import { type Mode, useRemoval } from './use-removal.ts';
import { Consequence, Whose } from './whose.tsx';

/** What the page is called in each mode. */
export const TITLE: Record<Mode, string> = {
  view: 'Edit Authenticator',
  stepUp: 'Delete Authenticator',
  deleting: 'Delete Authenticator',
};

type Props = { authenticator: Authenticator; onRenamed: (label: string) => void };

/** One authenticator: what it is, its label, and the way to delete it. */
export function AuthenticatorCard({ authenticator, onRenamed }: Props) {
  const user = useUser();
  const { redirectURL, installation } = usePageContext();
  const { mode, error, stepUp, isOwn, enter, remove } = useRemoval(authenticator);
  const list = isOwn ? '/authenticators' : organizationList(authenticator, installation);
  const go = useGo(list);
  const [renaming, setRenaming] = useState<{ error: string | null; done: boolean }>(IDLE);
  const panel = useStepFocus<HTMLDivElement>(mode);

  const own = authenticatorsOf(user, authenticator.org.orgId);
  const none = stepUpMethod(own, stepUp.preferCode) === 'none';
  const renamable = authenticator.type === 'security-key' && isOwn;
  const text = mode === 'stepUp' ? (none && NO_AUTHENTICATORS) || stepUp.error : (error ?? renaming.error);

  const proved = async (proof: Proof) => {
    if (await remove(proof)) go(redirectURL || list);
  };
  const begin = () => {
    setRenaming(IDLE);
    enter('stepUp');
  };

  return (
    <Card title={TITLE[mode]} busy={mode === 'deleting'} banner={text && <Banner text={text} />}>
      {!isOwn && <Whose {...authenticator} />}
      <AuthenticatorFacts authenticator={authenticator} />
      <div ref={panel} className={styles.step} tabIndex={-1}>
        {mode === 'view' && renamable && (
          <Rename
            authenticator={authenticator}
            onRenamed={(label) => {
              onRenamed(label);
              setRenaming({ error: null, done: true });
            }}
            onError={(error) => setRenaming({ error, done: false })}
          />
        )}
        {mode === 'view' && <Renamed done={renaming.done} />}
        {mode === 'view' && (
          <Button look="secondary" onClick={begin}>
            Delete Authenticator
          </Button>
        )}
        {mode === 'stepUp' && !isOwn && <Consequence {...authenticator} />}
        {mode === 'stepUp' && (
          <StepUp stepUp={stepUp} own={own} onProved={(proof) => void proved(proof)}>
            Before deleting this authenticator, confirm that it is you.
          </StepUp>
        )}
        {mode === 'stepUp' && (
          <Button look="secondary" onClick={() => enter('view')}>
            Keep it
          </Button>
        )}
        {mode === 'deleting' && <p role="status">deleting authenticator</p>}
      </div>
    </Card>
  );
}

/** Where an owner found what is somebody else's. */
const organizationList = ({ org }: Authenticator, installation: string) =>
  keepQuery('/org/authenticators', '', {
    owner: org.name,
    ownerID: org.orgId,
    installation: installation || null,
  });

const IDLE = { error: null, done: false };

/** Always there, so that what comes into it is announced. */
const Renamed = ({ done: shown }: { done: boolean }) => (
  <p role="status" className={styles.done}>
    {shown && (
      <>
        <Icon outline={done} />
        Successfully edited authenticator
      </>
    )}
  </p>
);
