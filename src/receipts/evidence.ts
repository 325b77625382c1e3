import type { StoredEntry } from '../audit/ports.ts';
import { modelOf } from '../authenticators/register/attestation.ts';
import type { ChainLink } from './enrolment-chain.ts';
import type { ProvedApproval } from './ports.ts';

/** What is known about an approval before the audit paths are read. */
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
