import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { GithubLink } from '../../components/github-link.tsx';
import { Icon } from '../../components/icon.tsx';
import { KINDS } from '../../components/kinds.ts';
import { Label } from '../../components/label.tsx';
import { Ago } from '../../components/time.tsx';
import { useClient } from '../../lib/use-client.ts';
import { useStepFocus } from '../../lib/use-step-focus.ts';
import type { CommitApproval } from './approvals.ts';
import styles from './commit.module.css';

const SHOWN = 5;

/** The newest few; the others on demand. */
export function ApprovalList({ approvals }: { approvals: CommitApproval[] }) {
  const [all, setAll] = useState(false);
  const list = useStepFocus<HTMLUListElement>(all ? 'all' : 'newest');
  return (
    <>
      <ul ref={list} tabIndex={-1}>
        {(all ? approvals : approvals.slice(0, SHOWN)).map((approval) => (
          <Approval key={approval.id} {...approval} />
        ))}
      </ul>
      {!all && approvals.length > SHOWN && (
        <Button look="secondary" onClick={() => setAll(true)}>
          Show all
        </Button>
      )}
    </>
  );
}

function Approval({ login, type, label, at }: CommitApproval) {
  const { config } = useClient();
  return (
    <li className={styles.approval}>
      <p className={styles.line}>
        <GithubLink href={`${config.github}/${encodeURIComponent(login)}`}>
          <Label text={login} />
        </GithubLink>
        <Ago at={at} />
      </p>
      <p className={styles.line}>
        <Icon outline={KINDS[type].outline} />
        {type === 'totp' ? 'One-time code' : <Label text={label || KINDS[type].name} />}
      </p>
    </li>
  );
}
