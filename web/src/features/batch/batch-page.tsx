import { useState } from 'react';
import { Link } from 'react-router-dom';
import { actionLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { type BatchChoice, batchKey, readChoice } from '../../lib/batch-choice.ts';
import { usePageContext, useUser } from '../../lib/use-client.ts';
import { useTabState } from '../../lib/use-tab-state.ts';
import { BatchCard } from './batch-card.tsx';

/** `/approve-batch`: approves the pull requests that the person selected in the inbox, with one signature. */
export function BatchPage() {
  const { id } = useUser();
  const { ownerID } = usePageContext();
  // The key makes another organization's batch another page.
  return <StoredBatch key={`${id} ${ownerID}`} storageKey={batchKey(id, ownerID)} ownerID={ownerID} />;
}

function StoredBatch({ storageKey, ownerID }: { storageKey: string; ownerID: string }) {
  const [stored] = useTabState(storageKey, readChoice);
  // Effects depend on its identity, and it's removed from the tab once it's approved.
  const [choice] = useState<BatchChoice | null>(stored);
  if (choice && String(choice.org.id) === ownerID) return <BatchCard choice={choice} />;
  return (
    <Card title="Approve pull requests">
      <p>Nothing is selected. Select pull requests in your inbox first.</p>
      <Link className={actionLink} to="/">
        Go to the inbox
      </Link>
    </Card>
  );
}
