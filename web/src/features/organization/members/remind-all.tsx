import { useEffect, useRef } from 'react';
import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import type { Organization } from '../../../lib/user.ts';
import { reachText, remindedText } from './member-texts.ts';
import styles from './members.module.css';
import { TellThem } from './tell-them.tsx';
import { useRemind } from './use-remind.ts';

type Props = {
  organization: Organization;
  members: NonNullable<OrganizationAnswer['members']>;
  onSent: () => void;
};

/** Says whom an e-mail reaches before an owner sends it, and helps to tell the others. */
export function RemindAll({ organization, members, onSent }: Props) {
  const { busy, answer, error, remind } = useRemind(organization);
  const latest = useRef(onSent);
  useEffect(() => {
    latest.current = onSent;
  });
  useEffect(() => {
    if (answer) latest.current();
  }, [answer]);
  const { reachable, unreachable, sendsMail } = members;
  const others = sendsMail ? unreachable : reachable + unreachable;
  return (
    <div className={styles.remind}>
      {error && <Banner text={error} />}
      <p>{reachText(members)}</p>
      {sendsMail && reachable > 0 && (
        <Button look="secondary" busy={busy} onClick={() => void remind()}>
          {reachable === 1 ? 'Send 1 e-mail' : `Send ${reachable} e-mails`}
        </Button>
      )}
      <p role="status" className={styles.result}>
        {answer && remindedText(answer)}
      </p>
      {others > 0 && <TellThem organization={organization} sendsMail={sendsMail} />}
    </div>
  );
}
