import type { ReactNode } from 'react';
import { type Receipts, type ReceiptTarget, useReceipts } from '../lib/receipts.ts';
import type { Loaded } from '../lib/use-client.ts';
import styles from './approval-proof.module.css';
import { ApprovalProof, ApprovalProofSkeleton } from './approval-proof.tsx';
import { loadFailure } from './load-failure.tsx';

/** Every approval of a commit with its proof, loaded after the page itself. */
export default function ApprovalProofs({ target }: { target: ReceiptTarget }) {
  const { loaded, reload } = useReceipts(target);
  const isNone =
    loaded.status === 'ok' && loaded.value.proved.length === 0 && loaded.value.without.length === 0;
  return (
    <section aria-label="Proofs" aria-busy={loaded.status === 'awaiting' || undefined}>
      <ProofsNotes loaded={loaded} reload={reload} />
      {isNone && <p>OTP Guard has no approval of this commit.</p>}
      <ul className={`stack ${styles.proofs}`}>
        {loaded.status === 'awaiting' && <Item>{<ApprovalProofSkeleton method="passkey" />}</Item>}
        {loaded.status === 'ok' &&
          loaded.value.proved.map((proof) => (
            <Item key={proof.id}>
              <ApprovalProof target={target} proof={proof} full />
            </Item>
          ))}
      </ul>
    </section>
  );
}

const Item = ({ children }: { children: ReactNode }) => <li>{children}</li>;

/** Why there are no proofs, or not of all. The rest of the page works without them, so this doesn't take the focus. */
export function ProofsNotes({ loaded, reload }: { loaded: Loaded<Receipts>; reload: () => void }) {
  if (loaded.status === 'ok')
    return loaded.value.without.map((why) => <p key={why}>Without a receipt: {why}</p>);
  return loadFailure(loaded, reload, "The proofs of these approvals can't be shown.");
}
