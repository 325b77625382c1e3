import { useMemo, useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { usePageContext } from '../../lib/use-client.ts';
import { ApprovalCard } from './approval-card.tsx';
import { readTarget, type Target } from './target.ts';
import { useApproval } from './use-approval.ts';

export const TITLE = 'Approve pull request';

/** `/collect-passkey`: shows one commit, and lets the person approve exactly that with their passkey. */
export function ApprovalPage() {
  const context = usePageContext();
  const read = useMemo(() => readTarget(context), [context]);
  if ('missing' in read) return <Card title={TITLE} banner={<Banner text={read.missing} />} />;
  // Another commit is another page: nothing of the one before stays on the screen.
  return <ApproveTarget key={JSON.stringify(read.target)} target={read.target} />;
}

function ApproveTarget({ target: given }: { target: Target }) {
  // The key above names the members; the first object that held them serves as long as they are the same.
  const [target] = useState(given);
  const { approval, approve, reload } = useApproval(target);
  return (
    <ApprovalCard
      title={TITLE}
      approval={approval}
      onApprove={() => void approve()}
      onReload={() => void reload()}
    />
  );
}
