import { useCallback, useMemo, useState } from 'react';
import { authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import { ApprovalProof, ApprovalProofSkeleton } from '../../components/approval-proof.tsx';
import { ProofsNotes } from '../../components/approval-proofs.tsx';
import { Banner, Card } from '../../components/card.tsx';
import { Button, GithubLink, InternalLink, LoginLink, SecondaryButton } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { Incomplete } from '../../components/incomplete.tsx';
import { kinds } from '../../components/kinds.ts';
import { Ago, Hash, Label, Skeleton } from '../../components/text.tsx';
import { pullAddress } from '../../lib/github.ts';
import { type ProvedApproval, type ReceiptTarget, useReceipts } from '../../lib/receipts.ts';
import { useRecordStore } from '../../lib/record-store.ts';
import { toIso } from '../../lib/times.ts';
import { useClient, useLoaded, usePageContext, useUser } from '../../lib/use-client.ts';
import { useStepFocus } from '../../lib/use-step-focus.ts';
import { findOrganization } from '../../lib/user.ts';
import styles from './commit.module.css';
import { type CommitApproval, type CommitQuery, listApprovals, readCommitQuery } from './read-approvals.ts';

const TITLE = 'Approvals of a commit';

/** `/commit`: who approved a commit of a pull request, when, and with which authenticator. */
export function CommitPage() {
  const context = usePageContext();
  const query = useMemo(() => readCommitQuery(context), [context]);
  return query ? <Approvals query={query} /> : <Incomplete title={TITLE} />;
}

function Approvals({ query }: { query: CommitQuery }) {
  const store = useRecordStore();
  const { loaded, reload } = useLoaded(useCallback(() => listApprovals(store, query), [store, query]));
  return (
    <Card
      title={TITLE}
      busy={loaded.status === 'awaiting'}
      banner={loaded.status === 'failed' && <Banner text={loaded.text} />}
    >
      <CommitSubject {...query} />
      {loaded.status === 'awaiting' && (
        <div className={styles.approval}>
          <Skeleton like="octocat with a passkey" />
          <ApprovalProofSkeleton method="passkey" />
        </div>
      )}
      {loaded.status === 'failed' && <Button onClick={reload}>Try again</Button>}
      {loaded.status === 'ok' &&
        (loaded.value.length > 0 ? (
          <ApprovalList approvals={loaded.value} query={query} />
        ) : (
          <p>No OTP activity found for commit</p>
        ))}
      <p className="on-screen">
        <InternalLink className="target" to="/verify">
          Verify a receipt or an export
        </InternalLink>
      </p>
    </Card>
  );
}

function CommitSubject({ head, owner, repo, pr }: CommitQuery) {
  const { config } = useClient();
  return (
    <p>
      <Hash hash={head} /> in{' '}
      <GithubLink href={pullAddress(config, { owner, repo, pr: String(pr) })} newTab>
        <Label text={`${repo} #${pr}`} inline />
      </GithubLink>
    </p>
  );
}

const SHOWN_AT_FIRST = 5;

/** The newest approvals with their proofs, and the others on request. */
function ApprovalList({ approvals, query }: { approvals: CommitApproval[]; query: CommitQuery }) {
  const target = useReceiptTarget(query, approvals);
  const { loaded, reload } = useReceipts(target);
  const proofs = loaded.status === 'ok' ? loaded.value.proved : NONE;
  const { of, rest } = useMemo(() => pairProofs(approvals, proofs, query.pr), [approvals, proofs, query.pr]);
  const [showsAll, setShowsAll] = useState(false);
  const list = useStepFocus<HTMLUListElement>(showsAll ? 'all' : 'newest');
  return (
    <>
      <ProofsNotes loaded={loaded} reload={reload} />
      <ul ref={list} tabIndex={-1}>
        {(showsAll ? approvals : approvals.slice(0, SHOWN_AT_FIRST)).map((approval) => (
          <li key={approval.id} className={styles.approval}>
            <Approval {...approval} />
            {target && loaded.status === 'awaiting' && <ApprovalProofSkeleton method={approval.type} />}
            <Proof target={query} proof={of.get(approval.id)} />
          </li>
        ))}
        {rest.map((proof) => (
          <li key={proof.id} className={styles.approval}>
            <ApprovalProof target={query} proof={proof} full />
          </li>
        ))}
      </ul>
      {!showsAll && approvals.length > SHOWN_AT_FIRST && (
        <SecondaryButton onClick={() => setShowsAll(true)}>Show all</SecondaryButton>
      )}
    </>
  );
}

const NONE: ProvedApproval[] = [];
/** Each is a call of its own; a commit in more pull requests is rare. */
const MOST_OTHERS = 5;

/** Null if the address doesn't say whose pull request it is. */
function useReceiptTarget(
  { head, pr, repo, owner, ownerID }: CommitQuery,
  approvals: CommitApproval[],
): ReceiptTarget | null {
  const context = usePageContext();
  const organization = findOrganization(useUser(), context);
  const id = ownerID || String(organization?.orgId ?? '');
  const signed = approvals.flatMap(({ signedFor }) => (signedFor ? [String(signedFor.pr)] : []));
  const others = [...new Set(signed)].slice(0, MOST_OTHERS);
  return id ? { owner, ownerID: id, repo, pr: String(pr), head, repoID: context.repoID, others } : null;
}

const Proof = ({ target, proof }: { target: CommitQuery; proof: ProvedApproval | undefined }) =>
  proof ? <ApprovalProof target={target} proof={proof} /> : null;

function Approval({ login, type, label, at, signedFor, withdrawn }: CommitApproval) {
  return (
    <>
      <p className={`row muted ${styles.line}`}>
        <LoginLink login={login}>
          <Label text={login} />
        </LoginLink>
        <Ago at={at} />
      </p>
      <p className={`row muted ${styles.line}`}>
        <Icon path={kinds[type].icon} />
        <Label text={label || authenticatorKinds[type].title} />
      </p>
      {signedFor && (
        <p className={`row muted ${styles.line}`}>
          <span>
            Signed for #{signedFor.pr}
            {signedFor.base && (
              <>
                {' '}
                into <Label text={signedFor.base} inline />
              </>
            )}
          </span>
        </p>
      )}
      {withdrawn && (
        <p className={`row muted ${styles.line}`}>
          <strong>Withdrawn</strong>
          <Ago at={withdrawn} />
        </p>
      )}
    </>
  );
}

/** An approval and its entry in the log are stored together. */
const MOST_APART_MS = 10_000;

type Listed = Pick<CommitApproval, 'id' | 'login' | 'type' | 'at' | 'signedFor'>;

/**
 * The proof of each listed approval, by the approval's id. They have no id in common, so login, kind, pull request and
 * time have to fit. A person who was renamed since fits none: those proofs are in `rest`.
 */
export function pairProofs(
  approvals: Listed[],
  proofs: ProvedApproval[],
  pr: number,
): { of: Map<string, ProvedApproval>; rest: ProvedApproval[] } {
  const rest = new Set(proofs);
  const of = new Map<string, ProvedApproval>();
  for (const approval of approvals) {
    const [nearest] = [...rest].filter((proof) => fits(approval, proof, pr)).sort(byDistance(approval));
    if (!nearest) continue;
    rest.delete(nearest);
    of.set(approval.id, nearest);
  }
  return { of, rest: [...rest] };
}

const fits = (approval: Listed, proof: ProvedApproval, pr: number) =>
  approval.login.toLowerCase() === proof.login.toLowerCase() &&
  approval.type === proof.method &&
  (approval.signedFor?.pr ?? pr) === proof.pr &&
  apart(approval, proof) <= MOST_APART_MS;

const byDistance = (approval: Listed) => (one: ProvedApproval, other: ProvedApproval) =>
  apart(approval, one) - apart(approval, other);

const apart = (one: { at: string }, other: { at: string }) =>
  Math.abs(Date.parse(toIso(one.at)) - Date.parse(toIso(other.at)));
