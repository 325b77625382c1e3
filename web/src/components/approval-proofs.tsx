import { useState } from 'react';
import { authenticatorKinds } from '../../../src/contract/authenticator-kinds.ts';
import type { ApprovalProof, Envelope, ReceiptsAnswer } from '../../../src/contract/receipts.ts';
import { addedWithText, cameInText, modelText } from '../lib/proof-text.ts';
import { useAnswer } from '../lib/react/queries.ts';
import { useUser } from '../lib/react/use-client.ts';
import { useStepFocus } from '../lib/react/use-step-focus.ts';
import { forFileName, saveFile } from '../lib/save-file.ts';
import styles from './approval-proofs.module.css';
import { LoginLink, SecondaryButton } from './controls.tsx';
import { Detail } from './detail.tsx';
import { checkIcon, Icon } from './icon.tsx';
import { loadFailure } from './load-failure.tsx';
import { infoIcon } from './notice-icons.ts';
import { Ago, Label, SkeletonLine, Spelled } from './text.tsx';
import { proofId, Timeline } from './timeline.tsx';

/** A commit, or with `pr` one of a pull request; `repoID` finds a repository that was renamed. */
type Target = {
  owner: string;
  ownerID: string;
  repo: string;
  pr?: string;
  /** The pull request whose timeline is shown. */
  story?: string;
  head: string;
  repoID?: string;
};

type Props = {
  target: Target;
  /** The text that stands instead of a commit's approvals if it has none. */
  none?: string;
};

const SHOWN_AT_FIRST = 5;

/**
 * The newest approvals, denials and decisions of a commit with their proofs, and the others on request. They load after the page, which works
 * without them, so a failure doesn't take the focus.
 */
export default function ApprovalProofs({
  target,
  none = 'OTP Guard has no approval of this commit.',
}: Props) {
  const { loaded, reload } = useAnswer('/receipts', target);
  const [showsAll, setShowsAll] = useState(false);
  const list = useStepFocus<HTMLUListElement>(showsAll ? 'all' : 'newest');
  const { receipts, proofs, without, story } = loaded.status === 'ok' ? loaded.value : NOTHING;
  if (loaded.status === 'awaiting') return <ProofsSkeleton />;
  return (
    <section className={styles.proofs} aria-label="Proofs">
      {loadFailure(loaded, reload, "The proofs of these approvals and denials can't be shown.")}
      {story && <Timeline story={story} proofsOf={target.head} />}
      {[...new Set(without.map(({ why }) => why))].map((why) => (
        <p key={why}>Without a receipt: {why}</p>
      ))}
      {loaded.status === 'ok' && proofs.length + without.length === 0 && <p>{none}</p>}
      <ul ref={list} className="stack" tabIndex={-1}>
        {proofs.slice(0, showsAll ? proofs.length : SHOWN_AT_FIRST).map((proof, at) => (
          <Proof key={proof.id} target={target} proof={proof} receipt={receipts[at]} />
        ))}
      </ul>
      {!showsAll && proofs.length > SHOWN_AT_FIRST && (
        <SecondaryButton onClick={() => setShowsAll(true)}>Show all</SecondaryButton>
      )}
    </section>
  );
}

/** Keeps the room of a short timeline and one proof. */
const ProofsSkeleton = () => (
  <section className={`stack ${styles.loading}`} aria-label="Proofs" aria-busy>
    <SkeletonLine like="mona opened it 2 minutes ago" />
    <SkeletonLine like="Commit 12506255" />
    <SkeletonLine like="mona, passkey, 1 minute ago" />
  </section>
);

const NOTHING: ReceiptsAnswer = { receipts: [], proofs: [], without: [], story: null };

type ProofProps = { target: Target; proof: ApprovalProof; receipt: Envelope | undefined };

/** The proof of one approval, denial or decision about a deployment, and its receipt. */
function Proof({ target: { repo, head }, proof, receipt }: ProofProps) {
  const { id, login, at, userVerified, method, pr, base, reason, deployment } = proof;
  const model = modelText(proof);
  const { username } = useUser();
  const addedWith = addedWithText(proof, login === username);
  const save = () =>
    saveFile({
      name: forFileName(`otp-guard-${repo}-${deployment ? `run-${deployment.run}` : pr}-${head}.json`),
      type: 'application/json',
      parts: [`${JSON.stringify(receipt, null, 2)}\n`],
    });
  return (
    <li id={proofId(id)} className={`stack gap-2 ${styles.proof}`} tabIndex={-1}>
      <p className="spread">
        <span>
          <LoginLink className="target bold" login={login} />
          {login === username && ' (you)'}
        </span>
        <span>
          <Ago at={at} />, {authenticatorKinds[method].noun}
        </span>
      </p>
      <SignatureLine {...proof} />
      <dl className="details">
        {method !== 'totp' && (
          <Detail name="User verified">
            {userVerified ? 'By fingerprint, face or PIN' : 'No, by touch alone'}
          </Detail>
        )}
        {model !== null && (
          <Detail name="Key model">
            <Label text={model} inline />
          </Detail>
        )}
        <Detail name={addedWith === null ? 'Registered' : 'Added with'}>
          <Label text={addedWith ?? cameInText(proof)} inline />
        </Detail>
        {reason !== null && (
          <Detail name="Reason">
            <Spelled text={reason} />
          </Detail>
        )}
        <Detail name={`${verbOf(proof)} for`}>
          {deployment ? `run ${deployment.run}, attempt ${deployment.attempt}, of ` : `#${pr} into `}
          <Label text={deployment ? `${base} to ${deployment.environment}` : base} inline />
        </Detail>
      </dl>
      <p>
        <SecondaryButton onClick={save}>
          Download receipt<span className="visually-hidden"> of {login}</span>
        </SecondaryButton>
      </p>
    </li>
  );
}

const verbOf = ({ reason, deployment }: ApprovalProof) =>
  reason === null ? 'Approved' : deployment ? 'Rejected' : 'Denied';

/** A denial or a withdrawn approval keeps its signature, but nobody should think that it counts for the commit. */
function SignatureLine(proof: ApprovalProof) {
  const { signature, withdrawn, reason, deployment } = proof;
  const isGood = signature === 'valid' && !withdrawn && reason === null;
  return (
    <p className={isGood ? 'marked success' : 'marked'}>
      <Icon path={isGood ? checkIcon : infoIcon} />
      <span>
        {(reason !== null || deployment) && (
          <>
            <strong>
              {verbOf(proof)}
              {deployment && ' for deployment'}
            </strong>
            .{' '}
          </>
        )}
        {withdrawn && (
          <>
            <strong>{reason === null || deployment ? 'Withdrawn' : 'Ended'}</strong> <Ago at={withdrawn} />:
            it doesn't count.{' '}
          </>
        )}
        {signature === 'valid' ? 'Signature valid' : 'One-time code: only this server attests it'}
      </span>
    </p>
  );
}
