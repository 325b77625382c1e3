import { bufferToBase64URLString, startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser';
import { useEffect, useState } from 'react';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { EnrolmentAnswer, OwnWaiting } from '../../../../src/contract/enrolment.ts';
import { ActionError } from '../../components/action-error.tsx';
import { Card } from '../../components/card.tsx';
import { Comparison } from '../../components/comparison.tsx';
import { ActionLink, Button, InternalLink, SecondaryButton } from '../../components/controls.tsx';
import { CopyLink } from '../../components/copy-link.tsx';
import { Notice } from '../../components/notice.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import { Ago, Label } from '../../components/text.tsx';
import { useAction } from '../../lib/react/use-action.ts';
import { useClient } from '../../lib/react/use-client.ts';
import type { NamedOrganization } from '../../lib/session/user.ts';
import { stillCounts, voucherText } from '../../lib/signing/enrolment.ts';
import { webauthnErrorText } from '../../lib/signing/webauthn-errors.ts';

type Props = {
  pending: OwnWaiting;
  /** True if this browser had registered another authenticator, which this one replaced. */
  isReplaced: boolean;
  organization: NamedOrganization;
  onTouched: () => void;
};

/**
 * This browser didn't register what waits. If another person did with the person's session, the person would read out
 * that one's code, so the page shows it only after a touch.
 */
export function OtherPending({ pending, isReplaced, organization, onTouched }: Props) {
  const { type, keyId } = pending;
  const { isWaiting, error, touch } = useTouch(keyId, onTouched);
  const noun = authenticatorKinds[type].noun;
  return (
    <Card title="Waiting for a vouch">
      <SecurityImages />
      {isReplaced ? (
        <ReplacedNotice pending={pending} org={organization.org} />
      ) : (
        <p>
          Your {noun} <Label text={pending.label} strong />, registered <Ago at={pending.since} />, waits for
          a vouch. Touch it, and this page shows its code and whom to ask.
        </p>
      )}
      {isReplaced && <ActionLink to="/register-passkey">Register again</ActionLink>}
      <ActionError text={error} />
      <Button variant={isReplaced ? 'secondary' : 'primary'} busy={isWaiting} onClick={touch}>
        {isWaiting ? 'Waiting for your passkey' : isReplaced ? 'It was me: show its code' : 'Show the code'}
      </Button>
      {!isReplaced && (
        <p className="muted">
          Don't have it here, or didn't register it? Register{' '}
          <InternalLink to="/register-passkey">another passkey</InternalLink> or{' '}
          <InternalLink to="/register-security-key">security key</InternalLink>. It replaces this one.
        </p>
      )}
    </Card>
  );
}

const ReplacedNotice = ({ pending: { type, since }, org }: { pending: OwnWaiting; org: string }) => (
  <Notice variant="warning">
    <p>
      Another {authenticatorKinds[type].noun} replaced yours <Ago at={since} />. If that wasn't you, another
      person uses your GitHub account: end its sessions on GitHub, tell an owner of <strong>{org}</strong>,
      and register again.
    </p>
  </Notice>
);

const CHALLENGE_BYTES = 32;

/**
 * Asks for a touch of one credential, to know that the person has it. Nothing is sent: without this, the page would show
 * them the code of a credential that another person registered with their session.
 */
function useTouch(keyId: string, onTouched: () => void) {
  const { pending, error, run } = useAction();

  useEffect(() => () => WebAuthnAbortService.cancelCeremony(), []);

  const touch = () =>
    run(async () => {
      const bytes = crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES));
      const challenge = bufferToBase64URLString(bytes.buffer);
      const allowCredentials = [{ id: keyId, type: 'public-key' as const }];
      const { id } = await startAuthentication({ optionsJSON: { challenge, allowCredentials } });
      if (id === keyId) onTouched();
    }, webauthnErrorText);

  return { isWaiting: pending, error, touch: () => void touch() };
}

type VouchByDateProps = { enrolment: EnrolmentAnswer; organization: NamedOrganization };

/** The person's authenticators from before the organization asked for vouches, each with its code and link. */
export function VouchByDate({ enrolment, organization: { org } }: VouchByDateProps) {
  const { now } = useClient();
  const { own, vouchExistingBy } = enrolment;
  const by = vouchExistingBy ?? '';
  return (
    <Card title="Get a vouch">
      <SecurityImages />
      <p>
        You registered here before <strong>{org}</strong> asked for vouches. Without one, your authenticators{' '}
        {stillCounts(by, now()) ? `count only until ${by}` : `haven't counted since ${by}`}.
      </p>
      <p>
        Use one of them to see its code and link. Send the link to {voucherText(enrolment, org)}, and call
        them or meet them. They ask for the code, and compare it with the one on their screen.
      </p>
      <ul className="stack">
        {own.map((waiting) => (
          <Item key={waiting.id} waiting={waiting} />
        ))}
      </ul>
    </Card>
  );
}

/** Shows the code after a touch only: a thief of the session may have registered an authenticator, which must get no vouch. */
function Item({ waiting: { keyId, type, label, since, comparison, page } }: { waiting: OwnWaiting }) {
  const { config } = useClient();
  const [isTouched, setIsTouched] = useState(false);
  const { isWaiting, error, touch } = useTouch(keyId, () => setIsTouched(true));
  return (
    <li className="stack divided">
      <p>
        <Label text={label} inline />, registered <Ago at={since} />
      </p>
      {isTouched ? (
        <>
          <Comparison code={comparison}>{`The code of this ${authenticatorKinds[type].noun}`}</Comparison>
          <CopyLink url={config.origin + page} />
        </>
      ) : (
        <>
          <ActionError text={error} />
          <SecondaryButton busy={isWaiting} onClick={touch}>
            {isWaiting ? 'Waiting for your passkey' : 'Show the code'}
          </SecondaryButton>
        </>
      )}
    </li>
  );
}
