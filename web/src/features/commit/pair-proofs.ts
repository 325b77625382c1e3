import type { ProvedApproval } from '../../lib/receipts.ts';
import { toIso } from '../../lib/times.ts';
import type { CommitApproval } from './read-approvals.ts';

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
