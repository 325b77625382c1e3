import type { ApprovalRequest } from './approval-request.ts';

/** The query parameter that asks for the form although the pull request passes without the person. */
export const APPROVE_TOO = { form: 'show' };

/** Whether everything that's enforced is met, by somebody's approval. */
export function isPassed({ rules }: Pick<ApprovalRequest, 'rules'>): boolean {
  const enforced = rules.filter((rule) => rule.enforced);
  return enforced.every(({ met }) => met) && enforced.some(({ by }) => by.length > 0);
}
