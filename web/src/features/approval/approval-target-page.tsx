import { type ComponentType, useMemo, useState } from 'react';
import { Incomplete } from '../../components/incomplete.tsx';
import { usePageContext } from '../../lib/use-client.ts';
import { TITLE } from './approval-card.tsx';
import { type ApprovalTarget, readApprovalTarget } from './approval-target.ts';

type Props = { Approve: ComponentType<{ target: ApprovalTarget }> };

/** Renders `Approve` for the commit in the address, or says what the address lacks. */
export function ApprovalTargetPage({ Approve }: Props) {
  const context = usePageContext();
  const target = useMemo(() => readApprovalTarget(context), [context]);
  if (!target) return <Incomplete title={TITLE} />;
  // The key makes another commit another page, so that nothing of the previous one stays on the screen.
  return <StableTarget key={JSON.stringify(target)} target={target} Approve={Approve} />;
}

/** Keeps one target object for the life of the page: effects depend on its identity. */
function StableTarget({ target: initial, Approve }: Props & { target: ApprovalTarget }) {
  const [target] = useState(initial);
  return <Approve target={target} />;
}
