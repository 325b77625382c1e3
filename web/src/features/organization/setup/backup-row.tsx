import { StatusRow } from '../status-row.tsx';

/** Shown only if the server's daily backup is missing. */
export const BackupRow = () => (
  <StatusRow status="wrong">
    <p>
      OTP Guard has no backup of the last day. Ask its operator to look at the log: without a backup, a broken
      disk takes every approval and authenticator with it.
    </p>
  </StatusRow>
);
