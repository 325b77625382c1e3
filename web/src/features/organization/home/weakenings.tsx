import { useState } from 'react';
import type { Weakening } from '../../../../../src/contract/protection.ts';
import { InternalLink, SecondaryButton } from '../../../components/controls.tsx';
import { errorIcon, Icon } from '../../../components/icon.tsx';
import { StepUp } from '../../../components/step-up.tsx';
import { Ago, Label } from '../../../components/text.tsx';
import { useStepFocus } from '../../../lib/react/use-step-focus.ts';
import { type Organization, organizationQuery } from '../../../lib/session/user.ts';
import { useProvenAction } from '../../../lib/signing/use-proven-action.ts';
import { useSignDeps } from '../../../lib/signing/use-signing.ts';
import { refuseAcknowledgement } from './check-acknowledgement.ts';
import styles from './weakenings.module.css';

const MOST_SHOWN = 5;

type Props = {
  /** The worst ones first, of `total`. */
  weakenings: Weakening[];
  total: number;
  organization: Organization;
  onAcknowledged: (entry: number) => void;
};

/** The weakenings around the check, in red until another owner acknowledges them; nothing if none wait. */
export function Weakenings({ weakenings, total, organization, onAcknowledged }: Props) {
  const [open, setOpen] = useState<number | null>(null);
  const [isAll, setIsAll] = useState(false);
  const [done, setDone] = useState('');
  const step = useStepFocus<HTMLDivElement>(`${open} ${done}`);
  const count = weakenings.length;
  if (total === 0 && !done) return null;
  const acknowledged = (entry: number) => {
    setOpen(null);
    setDone(`You acknowledged log entry ${entry}. The log says so.`);
    onAcknowledged(entry);
  };
  return (
    <div ref={step} className={`stack gap-3 ${styles.weakenings}`} tabIndex={-1}>
      <p role="status">{done}</p>
      {total > 0 && (
        <section className="stack gap-3" aria-labelledby="weakenings">
          <h2 id="weakenings">
            <Icon path={errorIcon} size="large" />
            {weakeningsText(total)}
          </h2>
          <ol>
            {weakenings.slice(0, isAll ? count : MOST_SHOWN).map((weakening) => (
              <li key={weakening.entry} className="stack gap-2">
                <Item weakening={weakening} organization={organization} />
                {open === weakening.entry ? (
                  <Acknowledge
                    weakening={weakening}
                    organization={organization}
                    onDone={() => acknowledged(weakening.entry)}
                    onCancel={() => setOpen(null)}
                  />
                ) : (
                  <Way weakening={weakening} onOpen={() => setOpen(weakening.entry)} />
                )}
              </li>
            ))}
          </ol>
          {count > MOST_SHOWN && !isAll && (
            <SecondaryButton onClick={() => setIsAll(true)}>
              {count === total ? `Show all ${count}` : `Show ${count} of ${total}`}
            </SecondaryButton>
          )}
          {count < total && isAll && (
            <p className="quiet">The worst are listed. Acknowledge them to see the others.</p>
          )}
        </section>
      )}
    </div>
  );
}

const weakeningsText = (count: number) =>
  count === 1 ? 'Protection weakened once' : `Protection weakened ${count} times`;

type ItemProps = Pick<Props, 'organization'> & { weakening: Weakening };

/** Says what happened, what was there before, and whether it still lasts. */
const Item = ({ weakening: { entry, at, text, change, undone, more }, organization }: ItemProps) => (
  <div className={styles.item}>
    <p>
      {more > 0 && (
        <>
          <strong>
            {more + 1} deploy keys of <Label text={change.repo ?? ''} inline /> that can write
          </strong>
          , each to be acknowledged. The newest:{' '}
        </>
      )}
      <Label text={text} inline />
    </p>
    <p className="quiet">
      {change.before && (
        <>
          Before: <Label text={change.before} inline />.{' '}
        </>
      )}
      {undone ? (
        <>
          <strong>Undone</strong> <Ago at={undone} />; still to be acknowledged.
        </>
      ) : (
        <strong>Not undone yet.</strong>
      )}
    </p>
    <p className="quiet">
      <InternalLink
        className="target"
        to="/org/log"
        query={{ ...organizationQuery(organization), kind: 'protectionWeakened' }}
      >
        Log entry {entry}
      </InternalLink>
      , <Ago at={at} />
    </p>
  </div>
);

/** The button, or why the person can't acknowledge it. */
function Way({
  weakening: { entry, refusal, isAlone },
  onOpen,
}: {
  weakening: Weakening;
  onOpen: () => void;
}) {
  if (refusal !== null) return <p className="quiet">{refusal}</p>;
  return (
    <>
      {isAlone && <p className="quiet">{ALONE}</p>}
      <SecondaryButton onClick={onOpen}>
        Acknowledge<span className="visually-hidden"> log entry {entry}</span>
      </SecondaryButton>
    </>
  );
}

const ALONE =
  "You're the only owner, so you acknowledge this alone. With a second owner, one stolen session couldn't.";

type AcknowledgeProps = ItemProps & { onDone: () => void; onCancel: () => void };

/** Asks for a proof that the owner has seen exactly this entry of the log. */
function Acknowledge({ weakening: { entry }, organization, onDone, onCancel }: AcknowledgeProps) {
  const { api, accessToken, signer } = useSignDeps();
  const { orgId, name } = organization;
  const target = { org: name, orgID: String(orgId), entry };
  const { pending, form } = useProvenAction(
    { type: 'acknowledge', ...target },
    async ({ stepUp }) => {
      const proof = 'otp' in stepUp ? { otp: stepUp.otp } : { authResponse: stepUp.webauthn };
      await api.post('/acknowledge', { ...target, ...proof, accessToken: accessToken() });
      onDone();
    },
    (answer) => refuseAcknowledgement(answer, { ...signer, orgId, entry }),
  );
  return (
    <div className={`stack ${styles.proof}`} aria-busy={pending}>
      <StepUp {...form}>
        To acknowledge log entry {entry}, confirm that it's you. It says that you have seen it, and changes
        nothing on GitHub. A passkey or security key signs the entry's number and hash, and the log names you.
      </StepUp>
      <SecondaryButton onClick={onCancel}>Cancel</SecondaryButton>
    </div>
  );
}
