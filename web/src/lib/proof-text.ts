import { authenticatorKinds } from '../../../src/contract/authenticator-kinds.ts';
import type { ApprovalProof } from '../../../src/contract/receipts.ts';

const CAME_IN: Record<ApprovalProof['enrolled'], string> = {
  '': 'Before OTP Guard recorded how',
  open: 'With a GitHub sign-in alone',
  email: 'With a code sent to a company address',
  vouched: 'With a vouch',
  operator: 'Confirmed by the operator of OTP Guard',
};

/** The enrolment of a chain's first authenticator, in words for the others. */
const BEGAN: Record<ApprovalProof['enrolled'], string> = {
  '': 'which began before OTP Guard recorded how',
  open: 'which began with a GitHub sign-in',
  email: 'which began with a code sent to a company address',
  vouched: 'which began with a vouch',
  operator: 'which the operator of OTP Guard confirmed',
};

type CameIn = Pick<ApprovalProof, 'enrolled' | 'addedWith' | 'vouchedBy'>;

/** Says how the key of an approval was enrolled: `Vouched for by mona, who was vouched for by octocat`. */
export function cameInText({ enrolled, vouchedBy }: Omit<CameIn, 'addedWith'>): string {
  if (vouchedBy.length === 0) return CAME_IN[enrolled] ?? CAME_IN[''];
  return `Vouched for by ${vouchedBy.join(', who was vouched for by ')}`;
}

/** Names the authenticator with which its holder added a key: `your passkey, which began with …`; null if none did. */
export function addedWithText({ enrolled, addedWith, vouchedBy }: CameIn, isOwn: boolean): string | null {
  if (addedWith === null) return null;
  const noun = addedWith === 'key' ? 'passkey or security key' : authenticatorKinds[addedWith].noun;
  const began =
    vouchedBy.length > 0
      ? `which was vouched for by ${vouchedBy.join(', who was vouched for by ')}`
      : (BEGAN[enrolled] ?? BEGAN['']);
  return `${isOwn ? 'your' : 'their'} ${noun}, ${began}`;
}

/** The key's model, and how sure it is; a one-time code has none. */
export function modelText({
  method,
  model,
  modelVerified,
}: Pick<ApprovalProof, 'method' | 'model' | 'modelVerified'>) {
  if (method === 'totp') return null;
  if (!model) return 'Not known';
  return modelVerified ? `${model}, verified by its certificate` : `${model}, only claimed by the key`;
}
