import { AppError } from '../../app-error.ts';
import type { PullRequest } from '../ports.ts';

/** @throws AppError `pullMerged` or `pullClosed`, as GitHub shows it. */
export function requireOpen({ open, merged }: Pick<PullRequest, 'open' | 'merged'>): void {
  if (!open) throw new AppError(merged ? 'pullMerged' : 'pullClosed');
}
