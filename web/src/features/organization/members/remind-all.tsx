import { useEffect, useRef } from 'react';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import type { Organization } from '../../../lib/user.ts';
import { remindedText } from './member-texts.ts';
import styles from './members.module.css';
import { useRemind } from './use-remind.ts';

type Props = {
  organization: Pick<Organization, 'orgId' | 'name'>;
  /** How many have no authenticator. */
  missing: number;
  onSent: () => void;
};

/** Reminds everyone without an authenticator, and says to how many an e-mail goes and to whom none does. */
export function RemindAll({ organization, missing, onSent }: Props) {
  const { busy, answer, error, remind } = useRemind(organization);
  const latest = useRef(onSent);
  useEffect(() => {
    latest.current = onSent;
  });
  useEffect(() => {
    if (answer) latest.current();
  }, [answer]);
  return (
    <div className={styles.remind}>
      {error && <Banner text={error} />}
      <Button look="secondary" busy={busy} onClick={() => void remind()}>
        Remind {missing} without one
      </Button>
      <p role="status" className={styles.result}>
        {answer && remindedText(answer)}
      </p>
    </div>
  );
}
