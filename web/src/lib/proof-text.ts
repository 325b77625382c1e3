import type { ApprovalProof } from '../../../src/contract/receipts.ts';

const CAME_IN: Record<ApprovalProof['enrolled'], string> = {
  '': 'Before OTP Guard recorded how',
  open: 'With a GitHub sign-in alone',
  email: 'With a code sent to a company address',
  vouched: 'With a vouch',
  operator: 'Confirmed by the operator of OTP Guard',
};

/** How the key of an approval came in: `Vouched for by mona, who was vouched for by octocat`. */
export function cameInText({ enrolled, vouchedBy }: Pick<ApprovalProof, 'enrolled' | 'vouchedBy'>): string {
  if (vouchedBy.length === 0) return CAME_IN[enrolled] ?? CAME_IN[''];
  return `Vouched for by ${vouchedBy.join(', who was vouched for by ')}`;
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
