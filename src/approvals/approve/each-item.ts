import pMap from 'p-map';
import { AppError } from '../../app-error.ts';
import type { ApprovalTarget, LeftOut } from '../../contract/approvals.ts';

/** How many pull requests of a batch we ask GitHub about at the same time. */
const AT_ONCE = 5;

/**
 * Does the work for each item of a batch; the outcomes are in the same order. An item that is refused is left out,
 * with the reason.
 *
 * @throws AppError An outage refuses the whole batch: nothing is used up yet, so the person can try again.
 */
export function eachItem<Item, Outcome>(
  items: Item[],
  targetOf: (item: Item) => ApprovalTarget,
  work: (item: Item) => Promise<Outcome>,
): Promise<(Outcome | LeftOut)[]> {
  const attempt = async (item: Item): Promise<Outcome | LeftOut> => {
    try {
      return await work(item);
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return leftOut(targetOf(item), error);
      throw error;
    }
  };
  return pMap(items, attempt, { concurrency: AT_ONCE });
}

export const leftOut = ({ repo, pr }: ApprovalTarget, { message: why }: AppError): LeftOut => ({
  repo,
  pr,
  why,
});

export const isLeftOut = (outcome: object): outcome is LeftOut => 'why' in outcome;

/** Those that worked, and those that are left out, each in their order. */
export const splitItems = <Outcome extends object>(outcomes: (Outcome | LeftOut)[]) => ({
  done: outcomes.flatMap((one) => (isLeftOut(one) ? [] : [one])),
  left: outcomes.filter(isLeftOut),
});
