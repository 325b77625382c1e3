import type { StoredEntry } from '../audit/ports.ts';
import { modelOf } from '../authenticators/register/attestation.ts';
import { authenticatorTypes } from '../contract/authenticator-kinds.ts';
import type { ApprovalProof } from '../contract/receipts.ts';
import type { AnyStatement } from '../contract/statement.ts';
import type { ChainLink } from './enrolment-chain.ts';
import type { ProvedApproval } from './ports.ts';

/** Makes what the pages show of a receipt. */
export function approvalProof({ approval, entry, chain }: Evidence): ApprovalProof {
  const { id, method, base, pr } = approval;
  const { login } = (approval.statement as AnyStatement).user;
  const { model, modelVerified } = authenticatorOf(approval);
  return {
    ...{ id, login, method, base, pr },
    at: entry.at.toISOString(),
    reason: approval.reason || null,
    deployment:
      approval.run === undefined
        ? null
        : { environment: approval.environment, run: approval.run, attempt: approval.attempt },
    // Receipts are issued only for what verifies.
    signature: method === 'totp' ? 'server' : 'valid',
    userVerified: approval.userVerified,
    model,
    modelVerified,
    enrolled: chain[0]?.enrolled ?? '',
    addedWith: addedWith(chain),
    vouchedBy: chain.flatMap(({ holder, vouch }) => {
      // A person's own second device isn't another person's word.
      const voucher = vouch?.statement.user;
      return voucher && voucher.id !== holder.id ? [voucher.login] : [];
    }),
    withdrawn: approval.withdrawn?.toISOString() ?? null,
  };
}

/** The next key of the chain is the holder's own if they confirmed this one with it, on this or on another device. */
function addedWith([own, next]: ChainLink[]): ApprovalProof['addedWith'] {
  if (!own || next?.holder.id !== own.holder.id) return null;
  if (next.publicKeySha256 === '') return 'totp';
  const type = next.registration?.event?.data.type;
  return authenticatorTypes.find((one) => one === type) ?? 'key';
}

/** An approval, a denial or a decision with its entry and chain, before the audit paths are read. */
export type Evidence = {
  approval: ProvedApproval;
  entry: StoredEntry;
  chain: ChainLink[];
};

export const authenticatorOf = ({ aaguid, modelVerified }: ProvedApproval) => ({
  aaguid,
  model: modelOf(aaguid),
  modelVerified,
});
