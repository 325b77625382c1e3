import type { EmailCodeProof } from '../../../../src/contract/email.ts';
import type { ProblemCode } from '../../../../src/contract/problems.ts';
import type { StepUp } from '../../lib/step-up.ts';

/** The additional fields of a registration, as the organization's mode or a device link needs them. */
export type Proofs = { stepUp?: StepUp; emailCode?: EmailCodeProof; deviceLink?: string };

type Code = ProblemCode | null;

/** The refusals of an e-mail code, with which a person goes back to the code. */
const CODE_REFUSALS: readonly Code[] = ['emailCodeUnknown', 'wrongEmailCode', 'tooManyEmailCodes'];

/** The refusals with which a person goes back to the address. */
const ADDRESS_REFUSALS: readonly Code[] = ['addressTaken', 'emailCodeRequired', 'otherDomain'];

/** The step of the company address to which a refused registration returns; null if the address isn't the reason. */
export function refusedStep(code: Code): 'code' | 'address' | null {
  if (CODE_REFUSALS.includes(code)) return 'code';
  return ADDRESS_REFUSALS.includes(code) ? 'address' : null;
}
