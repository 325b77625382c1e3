import type { RuleOutcome } from '../../contract/approvals.ts';
import type { JudgedPull } from '../judge/judge.ts';

/** What a rule says, for the dashboard. */
export const toOutcome = ({ counted, ...outcome }: JudgedPull['rules'][number]): RuleOutcome => ({
  ...outcome,
  by: counted.map(({ login }) => login),
});
