import type { BatchItem, BatchParamsAnswer, LeftOut } from '../../../../src/contract/approvals.ts';
import type { BatchStatement } from '../../../../src/contract/statement.ts';
import {
  findDifference,
  findSignerDifference,
  hashOf,
  type OnScreen,
  refusalText,
} from './check-statement.ts';

/** The facts on the page. */
export type BatchOnScreen = Pick<OnScreen, 'host' | 'user' | 'orgId'> & {
  /** The chosen pull requests. */
  pulls: { repoID: number; pr: number; head: string }[];
};

type Item = BatchItem | LeftOut;
export const isBatchItem = (item: Item): item is BatchItem => 'statement' in item;
export const isLeftOut = (item: Item): item is LeftOut => !isBatchItem(item);

/**
 * Checks that the challenge is the hash of the batch statement, that this one has the hash of each statement on the page
 * in the page's order, and that each is about a pull request that the person chose. Resolves to a sentence for the
 * person if not, or to null if their authenticator may sign the challenge.
 */
export async function refuseBatch(
  { options, statement, items }: Pick<BatchParamsAnswer, 'options' | 'statement' | 'items'>,
  screen: BatchOnScreen,
): Promise<string | null> {
  const shown = items.filter(isBatchItem);
  const difference =
    findSignerDifference(statement, 'approve-batch', screen) ?? findItemDifference(statement, shown, screen);
  if (difference) return refusalText(difference, false);
  const hashes = await Promise.all(shown.map((item) => hashOf(item.statement)));
  const isShown = sameList(statement.approvals, hashes) && new Set(hashes).size === hashes.length;
  return refusalText(null, isShown && options.challenge === (await hashOf(statement)));
}

/** The chosen ones are found by the repository's id, because it may have been renamed since. */
function findItemDifference(batch: BatchStatement, items: BatchItem[], screen: BatchOnScreen): string | null {
  for (const { statement, target } of items) {
    const { repo, pr, head } = statement;
    const isChosen = screen.pulls.some(
      (pull) => pull.repoID === repo.id && pull.pr === pr && pull.head === head,
    );
    if (!isChosen) return 'pull request';
    if (statement.user.id !== batch.user.id) return 'person';
    const names = { repo: `${target.owner}/${target.repo}`, repoId: repo.id, pr, head };
    const difference = findDifference(statement, { ...screen, ...names });
    if (difference) return difference;
  }
  return null;
}

const sameList = (one: string[], other: string[]) =>
  one.length === other.length && one.every((hash, index) => hash === other[index]);
