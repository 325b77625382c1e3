import { type ComponentType, useMemo, useState } from 'react';
import { usePageContext } from '../../lib/use-client.ts';
import { type ApprovalTarget, readApprovalTarget } from './approval-target.ts';
import { Incomplete } from './incomplete.tsx';

type Props = { Approve: ComponentType<{ target: ApprovalTarget }> };

/** Renders `Approve` for the commit in the address, or says what the address lacks. */
export function ApprovalTargetPage({ Approve }: Props) {
  const context = usePageContext();
  const read = useMemo(() => readApprovalTarget(context), [context]);
  if ('missing' in read) return <Incomplete />;
  // The key makes another commit another page, so that nothing of the previous one stays on the screen.
  return <StableTarget key={JSON.stringify(read.target)} target={read.target} Approve={Approve} />;
}

/** Keeps one target object for the life of the page: effects depend on its identity. */
function StableTarget({ target: initial, Approve }: Props & { target: ApprovalTarget }) {
  const [target] = useState(initial);
  return <Approve target={target} />;
}
