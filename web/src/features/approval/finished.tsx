import { CommitProofs } from './commit-proofs.tsx';
import type { Finish } from './finish.ts';
import { OwnApproval } from './own-approval.tsx';
import { PassedPull } from './passed-pull.tsx';
import { PullOver } from './pull-over.tsx';
import type { Approval } from './use-approval.ts';

type Props = { how: Finish; onWithdrawn: () => void; onReload: () => void } & Pick<Approval, 'request'>;

/** In place of the form, if there's nothing left to approve. It's seen by few, so it isn't part of the entry. */
export default function Finished({ how, request, onWithdrawn, onReload }: Props) {
  switch (how) {
    case 'own':
      return <OwnApproval onWithdrawn={onWithdrawn} onReload={onReload} />;
    case 'passed':
      return request && <PassedPull request={request} />;
    case 'proofs':
      return (
        <>
          <p role="status">
            Your approval is safe. GitHub hasn't accepted the check yet; we'll keep trying. You can close this
            page.
          </p>
          <CommitProofs />
        </>
      );
    default:
      return <PullOver how={how} />;
  }
}
