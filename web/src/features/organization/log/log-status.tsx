import type { LogStatus } from '../../../../../src/contract/receipts.ts';
import { InternalLink } from '../../../components/controls.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Ago, Skeleton, SkeletonLine } from '../../../components/text.tsx';
import type { Loaded } from '../../../lib/react/use-client.ts';
import { StatusRow } from '../status-row.tsx';

/** Says whether the log is as it was written, and who compared it. The list works without it. */
export function LogStatusLine({ loaded, reload }: { loaded: Loaded<LogStatus>; reload: () => void }) {
  if (loaded.status === 'ok') return <Known {...loaded.value} />;
  if (loaded.status === 'failed')
    return loadFailure(loaded, reload, "Whether the log is intact can't be shown.");
  return (
    <div aria-busy="true">
      <StatusRow status="unknown">
        <SkeletonLine like="Log intact: 1,204 entries, last checkpoint 3 minutes ago" />
        <p className="quiet">
          <Skeleton like="This server compared every entry up to 1,204, 2 minutes ago." />
        </p>
      </StatusRow>
    </div>
  );
}

function Known(status: LogStatus) {
  const { size, at, checked, changed } = status;
  if (changed !== null) return <Changed entry={changed} />;
  if (size === 0) {
    return (
      <StatusRow status="unknown">
        <p>The log has no entries yet. The next registration or approval becomes its first one.</p>
      </StatusRow>
    );
  }
  return (
    <StatusRow status={checked ? 'ok' : 'unknown'}>
      <p>
        {checked && 'Log intact: '}
        {entries(size)}
        {at && (
          <>
            , last checkpoint <Ago at={at} />
          </>
        )}
      </p>
      <p className="quiet">
        {checked ? (
          <>
            This server compared every entry up to {count(checked.to)} with what it signed,{' '}
            <Ago at={checked.at} />.
          </>
        ) : (
          "This server hasn't compared the entries with what it signed yet."
        )}
      </p>
    </StatusRow>
  );
}

const Changed = ({ entry }: { entry: number }) => (
  <Notice variant="warning">
    <p>
      <strong>
        {entry === 0
          ? "The end of this log isn't what this server signed: entries are missing, or an old backup is in place."
          : `Entry ${count(entry)} of this log isn't as it was when it was added.`}
      </strong>
    </p>
    <p>
      The database was changed outside OTP Guard. Tell the operator of OTP Guard, and don't rely on this log.
      An owner can export it and{' '}
      <InternalLink to="/verify">compare it with the checkpoints in GitHub's checks</InternalLink>, which
      names the first entry that differs.
    </p>
  </Notice>
);

const count = (value: number) => value.toLocaleString('en');
export const entries = (size: number) => (size === 1 ? '1 entry' : `${count(size)} entries`);
