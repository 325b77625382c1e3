import type { Authenticator } from './authenticator.ts';

const ENROLLED: Record<Authenticator['enrolled'], string> = {
  '': 'Enrolled before',
  open: 'Began with a GitHub sign\u2011in',
  email: 'Began with a company address',
  vouched: 'Vouched for',
  operator: 'Confirmed by the operator',
};

/** How an authenticator came in: what its holder, or the one that let it in, enrolled with; or what it waits for. */
export function enrolledText({ pending, enrolled }: Pick<Authenticator, 'pending' | 'enrolled'>): string {
  if (pending === 'vouch') return 'Waits for a vouch';
  if (pending === 'device') return 'Waits for your confirmation';
  return ENROLLED[enrolled] ?? ENROLLED[''];
}
