import type { EmailCodeProof } from '../../../../src/contract/email.ts';
import type { StepUp } from '../../lib/step-up.ts';

/** What a registration carries in addition, as the organization's mode or a device link needs it. */
export type Proofs = { stepUp?: StepUp; emailCode?: EmailCodeProof; deviceLink?: string };

/** The server's sentences that end an e-mail code, with which a person goes back to the code. */
const CODE_REFUSALS: readonly string[] = [
  'This code is no longer valid. Request a new one.',
  "That code isn't right. Enter the one from the e-mail.",
  'Too many wrong codes. Request a new one.',
];

/** The server's sentences with which a person goes back to the address. */
const ADDRESS_REFUSALS: readonly string[] = [
  'Somebody else enrolled with this address here. Use your own.',
  'Confirm a company address first: this organization asks for one.',
  "Use your address at one of the organization's own domains.",
];

/** Which step of the company address a refused registration goes back to; null if the address isn't the reason. */
export function refusedStep(message: string): 'code' | 'address' | null {
  if (CODE_REFUSALS.includes(message)) return 'code';
  return ADDRESS_REFUSALS.includes(message) ? 'address' : null;
}
