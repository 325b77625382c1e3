import { Avatar } from '../../components/avatar.tsx';
import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { SecurityImages } from '../../components/security-images.tsx';
import type { BatchChoice } from '../../lib/batch-choice.ts';
import { isBatchItem, isLeftOut } from '../../lib/check-batch.ts';
import { useUser } from '../../lib/use-client.ts';
import styles from './batch.module.css';
import { BatchItemRow, BatchItemSkeleton } from './batch-item.tsx';
import { BatchResult } from './batch-result.tsx';
import { resultTitle } from './batch-texts.ts';
import { LeftOutList } from './left-out-list.tsx';
import { NextStep } from './next-step.tsx';
import { useBatch } from './use-batch.ts';

/** Shows what is approved, by whom and how, what is left out, and one button; then the outcome of each. */
export function BatchCard({ choice }: { choice: BatchChoice }) {
  const { batch, approve, reload } = useBatch(choice);
  const { status, request, problem, answer } = batch;
  const isLoading = status === 'loading';
  const items = request?.items.filter(isBatchItem) ?? [];
  const leftOut = request?.items.filter(isLeftOut) ?? [];
  return (
    <Card
      wide
      title={answer ? resultTitle(answer) : 'Approve pull requests'}
      busy={isLoading}
      banner={problem && <Banner text={problem.text} />}
    >
      {answer ? (
        <BatchResult answer={answer} items={items} choice={choice} />
      ) : (
        <>
          <SecurityImages />
          <ol className={styles.items} hidden={!isLoading && items.length === 0}>
            {isLoading
              ? choice.items.map((item) => (
                  <BatchItemSkeleton key={`${item.repoID} ${item.pr}`} item={item} />
                ))
              : items.map((item) => <BatchItemRow key={item.statement.nonce} item={item} choice={choice} />)}
          </ol>
          <LeftOutList leftOut={leftOut} choice={choice} />
          {(request || isLoading) && <Approver />}
          <NextStep
            batch={batch}
            count={isLoading ? choice.items.length : items.length}
            {...{ approve, reload }}
          />
        </>
      )}
    </Card>
  );
}

function Approver() {
  const { username, avatar } = useUser();
  return (
    <div className={styles.approver}>
      <Avatar login={username} src={avatar} />
      <p>
        <strong>{username}</strong> approves all of them with one touch of a passkey or security key
      </p>
    </div>
  );
}
