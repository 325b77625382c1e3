import { useCallback } from 'react';
import type { ApprovalProof, Envelope, ReceiptsAnswer } from '../../../src/contract/receipts.ts';
import type { ApiClient } from './api-client.ts';
import { type FileText, forFileName } from './save-file.ts';
import { type Loaded, useClient, useLoaded } from './use-client.ts';

/** A commit of a pull request; `repoID` finds a repository that was renamed. */
export type ReceiptTarget = {
  owner: string;
  ownerID: string;
  repo: string;
  pr: string;
  head: string;
  repoID?: string;
  /** Other pull requests with this head. */
  others?: string[];
};

/** The proof of one approval, with the file that proves it to others. */
export type ProvedApproval = ApprovalProof & { receipt: Envelope };

/** `without` says why other approvals have no receipt, each reason once. */
export type Receipts = { proved: ProvedApproval[]; without: string[] };

/** Every approval of the head that was signed for one of the pull requests. Rejects with an `ApiError`. */
export async function readReceipts(
  { post }: Pick<ApiClient, 'post'>,
  { repoID, pr, others = [], ...target }: ReceiptTarget,
): Promise<Receipts> {
  const read = (one: string) =>
    post<ReceiptsAnswer>('/receipts', { ...target, pr: one, ...(repoID && { repoID }) });
  const answers = await Promise.all([pr, ...others].map(read));
  const without = answers.flatMap((answer) => answer.without.map(({ why }) => why));
  // An approval may count for several pull requests.
  const proved = new Map(answers.flatMap(pairUp).map((one) => [one.id, one]));
  return { proved: [...proved.values()], without: [...new Set(without)] };
}

const pairUp = ({ receipts, proofs }: ReceiptsAnswer): ProvedApproval[] =>
  proofs.flatMap((proof, at) => {
    const receipt = receipts[at];
    return receipt ? [{ ...proof, receipt }] : [];
  });

export const receiptFile = (
  { repo, head }: Pick<ReceiptTarget, 'repo' | 'head'>,
  { pr, receipt }: Pick<ProvedApproval, 'pr' | 'receipt'>,
): FileText => ({
  name: forFileName(`otp-guard-${repo}-${pr}-${head}.json`),
  type: 'application/json',
  parts: [`${JSON.stringify(receipt, null, 2)}\n`],
});

const NONE: Receipts = { proved: [], without: [] };

/** The proofs of a commit's approvals; none without a target. */
export function useReceipts(target: ReceiptTarget | null): {
  loaded: Loaded<Receipts>;
  reload: () => void;
} {
  const { api } = useClient();
  // By its text, because callers may make another object of it at each render.
  const key = JSON.stringify(target);
  const { loaded, reload } = useLoaded(
    useCallback(async () => {
      const wanted: ReceiptTarget | null = JSON.parse(key);
      return wanted ? readReceipts(api, wanted) : NONE;
    }, [api, key]),
  );
  return { loaded, reload };
}
