import type { Finish } from './finish.ts';
import { OwnApproval } from './own-approval.tsx';
import { PassedPull } from './passed-pull.tsx';
import { PullOver } from './pull-over.tsx';
import { StillWaits } from './still-waits.tsx';
import type { Approval } from './use-approval.ts';

type Props = { how: Finish; onWithdrawn: () => void; onReload: () => void } & Pick<
  Approval,
  'request' | 'answer'
>;

/** In place of the form, if there's nothing left to approve. It's seen by few, so it isn't part of the entry. */
export default function Finished({ how, request, answer, onWithdrawn, onReload }: Props) {
  switch (how) {
    case 'own':
      return <OwnApproval needs={request?.needs ?? null} onWithdrawn={onWithdrawn} onReload={onReload} />;
    case 'passed':
      return request && <PassedPull request={request} />;
    case 'waits':
      return answer && <StillWaits answer={answer} />;
    default:
      return <PullOver how={how} />;
  }
}
