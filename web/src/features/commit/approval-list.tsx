import { useState } from 'react';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import { Button } from '../../components/button.tsx';
import { GithubLink } from '../../components/github-link.tsx';
import { Icon } from '../../components/icon.tsx';
import { kinds } from '../../components/kinds.ts';
import { Label } from '../../components/label.tsx';
import { Ago } from '../../components/time.tsx';
import { useClient } from '../../lib/use-client.ts';
import { useStepFocus } from '../../lib/use-step-focus.ts';
import styles from './commit.module.css';
import type { CommitApproval } from './read-approvals.ts';

const SHOWN_AT_FIRST = 5;

/** The newest approvals, and the others on request. */
export function ApprovalList({ approvals }: { approvals: CommitApproval[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const list = useStepFocus<HTMLUListElement>(showsAll ? 'all' : 'newest');
  return (
    <>
      <ul ref={list} tabIndex={-1}>
        {(showsAll ? approvals : approvals.slice(0, SHOWN_AT_FIRST)).map((approval) => (
          <Approval key={approval.id} {...approval} />
        ))}
      </ul>
      {!showsAll && approvals.length > SHOWN_AT_FIRST && (
        <Button look="secondary" onClick={() => setShowsAll(true)}>
          Show all
        </Button>
      )}
    </>
  );
}

function Approval({ login, type, label, at, signedFor, withdrawn }: CommitApproval) {
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
        <Icon path={kinds[type].icon} />
        <Label text={label || authenticatorKinds[type].title} />
      </p>
      {signedFor && (
        <p className={styles.line}>
          <span>
            Signed for #{signedFor.pr}
            {signedFor.base && (
              <>
                {' '}
                into <Label text={signedFor.base} inline />
              </>
            )}
          </span>
        </p>
      )}
      {withdrawn && (
        <p className={styles.line}>
          <strong>Withdrawn</strong>
          <Ago at={withdrawn} />
        </p>
      )}
    </li>
  );
}
