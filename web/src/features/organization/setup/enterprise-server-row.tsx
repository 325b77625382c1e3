import type { OrganizationHealth } from '../../../../../src/contract/organization-health.ts';
import { StatusRow } from '../status-row.tsx';
import { enterpriseServerStatus } from './part-status.ts';

type Props = { server: NonNullable<OrganizationHealth['enterpriseServer']> };

/** Shown only on an Enterprise Server: its version, and what it can't do. */
export const EnterpriseServerRow = ({ server }: Props) => (
  <StatusRow status={enterpriseServerStatus(server)}>
    <p>
      GitHub Enterprise Server {server.version}.
      {server.isUnchecked &&
        ' It is older than any version that OTP Guard was compared with, so some things may not work.'}
    </p>
    {!server.hasMergeGroups && (
      <p>
        The App gets no merge groups, so a merge queue would wait for the check for ever. Don't require the
        check on branches with a merge queue.
      </p>
    )}
  </StatusRow>
);
