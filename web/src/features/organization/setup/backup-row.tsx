import type { OrganizationHealth } from '../../../../../src/contract/organization-health.ts';
import { Ago } from '../../../components/time.tsx';
import { StatusRow } from '../status-row.tsx';

type Props = NonNullable<OrganizationHealth['backup']>;

/** How old the server's last daily backup is. */
export const BackupRow = ({ last, isLate }: Props) => (
  <StatusRow status={isLate ? 'wrong' : 'good'}>
    {last ? (
      <p>
        Last backup made <Ago at={last} />.
      </p>
    ) : (
      <p>{isLate ? 'There is no backup.' : 'The first backup is still to come.'}</p>
    )}
    {isLate && (
      <p>
        Ask the operator of OTP Guard to look at the log: without a backup, a broken disk takes every approval
        and authenticator with it.
      </p>
    )}
  </StatusRow>
);
