import { authenticatorKinds } from '../../../src/contract/authenticator-kinds.ts';
import { addedWithText, cameInText, modelText } from '../lib/proof-text.ts';
import { type ProvedApproval, type ReceiptTarget, receiptFile } from '../lib/receipts.ts';
import { saveFile } from '../lib/save-file.ts';
import { useUser } from '../lib/use-client.ts';
import styles from './approval-proof.module.css';
import { SecondaryButton } from './controls.tsx';
import { Fact } from './fact.tsx';
import { checkIcon, Icon } from './icon.tsx';
import { infoIcon } from './notice-icons.ts';
import { Ago, Label, Skeleton, SkeletonLine } from './text.tsx';

type Props = {
  target: Pick<ReceiptTarget, 'repo' | 'head'>;
  proof: ProvedApproval;
  /** For a page that doesn't show the approval itself: who gave it, when, for what, and when it was withdrawn. */
  full?: boolean;
};

/** The proof of one approval, and its receipt. */
export function ApprovalProof({ target, proof, full = false }: Props) {
  const { login, at, userVerified, method, pr, base, withdrawn } = proof;
  const model = modelText(proof);
  const { username } = useUser();
  const addedWith = addedWithText(proof, login === username);
  return (
    <div className={`stack gap-2 ${styles.proof}`}>
      {full && (
        <p className="spread">
          <strong>
            <Label text={login} inline />
            {login === username && ' (you)'}
          </strong>
          <span>
            {withdrawn ? 'Withdrawn ' : 'Approved '}
            <Ago at={withdrawn ?? at} />
            {!withdrawn && ` with ${authenticatorKinds[method].method}`}
          </span>
        </p>
      )}
      <SignatureLine {...proof} />
      <dl className="facts">
        {method !== 'totp' && (
          <Fact name="User verified">
            {userVerified ? 'By fingerprint, face or PIN' : 'No, by touch alone'}
          </Fact>
        )}
        {model !== null && (
          <Fact name="Key model">
            <Label text={model} inline />
          </Fact>
        )}
        <Fact name={addedWith === null ? 'Registered' : 'Added with'}>
          <Label text={addedWith ?? cameInText(proof)} inline />
        </Fact>
        {full && (
          <Fact name="Approved for">
            #{pr} into <Label text={base} inline />
          </Fact>
        )}
      </dl>
      <p>
        <SecondaryButton onClick={() => saveFile(receiptFile(target, proof))}>
          Download receipt<span className="visually-hidden"> of {login}</span>
        </SecondaryButton>
      </p>
    </div>
  );
}

/** A withdrawn approval keeps its signature, but nobody should take it for one that counts. */
const SignatureLine = ({ signature, withdrawn }: Pick<ProvedApproval, 'signature' | 'withdrawn'>) => (
  <p className={signature === 'valid' && !withdrawn ? 'marked success' : 'marked'}>
    <Icon path={signature === 'valid' && !withdrawn ? checkIcon : infoIcon} />
    <span>
      {withdrawn && "Withdrawn: it doesn't count. "}
      {signature === 'valid' ? 'Signature valid' : 'One-time code: only this server attests it'}
    </span>
  </p>
);

/** Keeps the place of a proof while it loads: as many lines, and the button. */
export const ApprovalProofSkeleton = ({ method }: Pick<ProvedApproval, 'method'>) => (
  <div className={`stack gap-2 ${styles.proof}`}>
    <SkeletonLine like="Signature valid" />
    <dl className="facts">
      {(method === 'totp' ? OF_CODE : OF_KEY).map((like) => (
        <Fact key={like} name={<Skeleton like="User verified" />}>
          <Skeleton like={like} />
        </Fact>
      ))}
    </dl>
    <p>
      <SecondaryButton busy>Download receipt</SecondaryButton>
    </p>
  </div>
);

const OF_CODE = ['Vouched for by mona'];
const OF_KEY = ['By fingerprint, face or PIN', 'A model, only claimed by the key', ...OF_CODE];
