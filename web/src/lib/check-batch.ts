import type { BatchItem, BatchParamsAnswer, LeftOut } from '../../../src/contract/approvals.ts';
import type { BatchStatement } from '../../../src/contract/statement.ts';
import { findDifference, hashOf, NOTHING_SIGNED, type OnScreen, sameName } from './check-statement.ts';

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
  const difference = findBatchDifference(statement, screen) ?? findItemDifference(statement, shown, screen);
  if (difference) {
    return `The server requested a signature for a different ${difference} than this page shows. ${NOTHING_SIGNED}`;
  }
  const hashes = await Promise.all(shown.map((item) => hashOf(item.statement)));
  const isShown = sameList(statement.approvals, hashes) && new Set(hashes).size === hashes.length;
  if (isShown && options.challenge === (await hashOf(statement))) return null;
  return `The server requested a signature for something this page doesn't show. ${NOTHING_SIGNED}`;
}

function findBatchDifference(statement: BatchStatement, { host, user, orgId }: BatchOnScreen): string | null {
  if (statement.v !== 1 || statement.purpose !== 'approve-batch') return 'purpose';
  if (statement.host !== host) return 'site';
  if (!sameName(statement.user.login, user.login)) return 'person';
  if (statement.user.id !== user.githubId) return 'person';
  return statement.org.id === orgId ? null : 'organization';
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
