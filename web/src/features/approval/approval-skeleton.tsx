import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { SecurityImagesSkeleton } from '../../components/security-images.tsx';
import styles from './approval.module.css';
import { TITLE } from './approval-card.tsx';
import { ApproverSkeleton } from './approver.tsx';
import { PullFacts } from './pull-facts.tsx';

/** The page before it's known who approves. Its parts have the places of those that come. */
export const ApprovalSkeleton = () => (
  <Card title={TITLE} busy>
    <SecurityImagesSkeleton />
    <PullFacts request={null} loading finished={false} approved={false} />
    <ApproverSkeleton />
    <Button busy>Approve with passkey</Button>
    <div className={styles.leave} />
  </Card>
);
