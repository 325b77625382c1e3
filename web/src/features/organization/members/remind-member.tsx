import { useLayoutEffect, useRef } from 'react';
import type { OrganizationMember } from '../../../../../src/contract/organization.ts';
import { Button } from '../../../components/button.tsx';
import { Ago } from '../../../components/time.tsx';
import { useClient } from '../../../lib/use-client.ts';
import type { Organization } from '../../../lib/user.ts';
import { remindedOneText, reminderState } from './member-texts.ts';
import styles from './members.module.css';
import { useRemind } from './use-remind.ts';

type Props = { member: OrganizationMember; organization: Pick<Organization, 'orgId' | 'name'> };

/** Reminds one member to register, or says why that isn't possible. The answer takes the pressed button's place and focus. */
export function RemindMember({ member, organization }: Props) {
  const { now } = useClient();
  const { busy, answer, error, remind } = useRemind(organization, member.id);
  const result = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    if (answer) result.current?.focus();
  }, [answer]);
  if (answer) {
    return (
      <p ref={result} tabIndex={-1} role="status" className={styles.quiet}>
        {remindedOneText(answer)}
      </p>
    );
  }
  const state = reminderState(member, now());
  if (state === 'no-address') return <p className={styles.quiet}>No confirmed e-mail address</p>;
  if (state === 'sent' && member.reminded) {
    return (
      <p className={styles.quiet}>
        Reminded <Ago at={member.reminded} />
      </p>
    );
  }
  return (
    <>
      {error && (
        <p role="alert" className={styles.quiet}>
          {error}
        </p>
      )}
      <Button
        look="secondary"
        busy={busy}
        aria-label={`Remind ${member.login}`}
        onClick={() => void remind()}
      >
        Remind
      </Button>
    </>
  );
}
