import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';

/** SHA-256: 32 bytes. */
export type Hash = Uint8Array;

/** A complete subtree: the `2 ** level` leaves up to leaf number `end`. Leaf numbers begin with 1. */
export type Subtree = { end: number; level: number };

/** The root of a tree without leaves: RFC 6962, section 2.1. */
export const EMPTY_ROOT: Hash = sha256(new Uint8Array());

/** The hash of a leaf: RFC 6962, section 2.1. */
export const hashLeaf = (leaf: Uint8Array): Hash => sha256(concatBytes(Uint8Array.of(0), leaf));

/** The hash of a node over its two children: RFC 6962, section 2.1. */
export const hashNode = (left: Hash, right: Hash): Hash => sha256(concatBytes(Uint8Array.of(1), left, right));

/** A tree of `size` leaves, as the roots of the complete subtrees that it consists of, largest first. */
export type Frontier = { size: number; roots: Hash[] };

export const EMPTY: Frontier = { size: 0, roots: [] };

/**
 * Appends a leaf.
 *
 * @returns The new frontier, and the roots of all subtrees that this leaf completes, smallest first: its own hash,
 *   then one for each level up to the largest.
 */
export function appendLeaf({ size, roots }: Frontier, leaf: Hash): { frontier: Frontier; completed: Hash[] } {
  const rest = [...roots];
  const completed = [leaf];
  let top = leaf;
  for (let left = size; left % 2 === 1; left = (left - 1) / 2) {
    top = hashNode(rest.pop() as Hash, top);
    completed.push(top);
  }
  return { frontier: { size: size + 1, roots: [...rest, top] }, completed };
}

/** The root of the tree: the Merkle Tree Hash of RFC 6962. */
export const rootOf = ({ roots }: Frontier): Hash => (roots.length === 0 ? EMPTY_ROOT : foldRoots(roots));

/** The hash over neighbouring complete subtrees, largest first. */
export const foldRoots = (roots: Hash[]): Hash => roots.reduceRight((right, left) => hashNode(left, right));

/**
 * The complete subtrees that the leaves after number `start` up to number `end` consist of, largest first.
 *
 * @param start 0, or the end of a larger complete subtree: a place at which RFC 6962 splits a tree.
 */
export function subtreesBetween(start: number, end: number): Subtree[] {
  const subtrees: Subtree[] = [];
  let from = start;
  for (let level = Math.floor(Math.log2(end - start || 1)); level >= 0; level -= 1) {
    if (end - from < 2 ** level) continue;
    from += 2 ** level;
    subtrees.push({ end: from, level });
  }
  return subtrees;
}

/** A sibling on the way from a leaf to the root: the leaves after number `start` up to number `end`. */
type Sibling = { start: number; end: number; isLeft: boolean };

/**
 * The siblings from leaf `number` up to the root of a tree of `size` leaves: the audit path of RFC 6962,
 * section 2.1.1. The hash of a sibling is `foldRoots` over its `subtreesBetween`.
 */
export function siblingsOf(number: number, size: number): Sibling[] {
  const siblings: Sibling[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const split = start + largestPowerBelow(end - start);
    const isLeft = number > split;
    siblings.push(isLeft ? { start, end: split, isLeft } : { start: split, end, isLeft });
    [start, end] = isLeft ? [split, end] : [start, split];
  }
  return siblings.reverse();
}

/**
 * The root that an audit path leads to from leaf `number`.
 *
 * @returns Null if the path doesn't have the number of hashes that this leaf needs in a tree of this size.
 */
export function rootFromPath(
  leaf: Hash,
  { number, size, path }: { number: number; size: number; path: Hash[] },
): Hash | null {
  if (number < 1 || number > size) return null;
  const siblings = siblingsOf(number, size);
  if (siblings.length !== path.length) return null;
  return siblings.reduce((hash, { isLeft }, at) => {
    const sibling = path[at] as Hash;
    return isLeft ? hashNode(sibling, hash) : hashNode(hash, sibling);
  }, leaf);
}

/** The largest power of two that is smaller than `count`, which is at least 2. */
const largestPowerBelow = (count: number) => 2 ** (Math.ceil(Math.log2(count)) - 1);
