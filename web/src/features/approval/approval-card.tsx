import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { Action } from './action.tsx';
import { Done } from './done.tsx';
import { PullFacts } from './pull-facts.tsx';
import type { Approval } from './use-approval.ts';
import { Who } from './who.tsx';

type Props = { title: string; approval: Approval; onApprove: () => void; onReload: () => void };

/** What is approved, who approves and with what, and the one button. Its shape is the same while it loads. */
export function ApprovalCard({ title, approval, onApprove, onReload }: Props) {
  const { status, request, problem, answer } = approval;
  const banner = problem && <Banner text={problem.text} />;
  return (
    <Card title={title} busy={status === 'loading'} banner={banner}>
      <PullFacts request={request} loading={status === 'loading'} />
      {(request || status === 'loading') && <Who />}
      {answer ? (
        <Done answer={answer} />
      ) : (
        <Action approval={approval} onApprove={onApprove} onReload={onReload} />
      )}
    </Card>
  );
}
