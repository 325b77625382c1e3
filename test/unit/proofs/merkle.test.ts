import { describe, expect, it } from '@jest/globals';
import {
  appendLeaf,
  EMPTY,
  EMPTY_ROOT,
  type Hash,
  hashLeaf,
  rootFromPath,
  rootOf,
  siblingsOf,
} from '../../../src/proofs/merkle.ts';
import { auditPath, treeHash } from '../../support/test-log.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const hashes = (...leaves: string[]) => leaves.map((leaf) => hashLeaf(Buffer.from(leaf, 'hex')));
/** The tree of Certificate Transparency's reference implementation (merkle_tree_test.cc). */
const CT = hashes(
  ...['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'],
);
const ROOTS = `
  6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d
  fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125
  aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77
  d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7
  4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4
  76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef
  ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c
  5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328`
  .trim()
  .split(/\s+/);
describe('the tree of RFC 6962', () => {
  it('has the roots of Certificate Transparency’s own test', () => {
    let frontier = EMPTY;
    const roots = CT.map((leaf) => {
      frontier = appendLeaf(frontier, leaf).frontier;
      return hex(rootOf(frontier));
    });
    expect(roots).toEqual(ROOTS);
    expect(hex(EMPTY_ROOT)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('has no place for a leaf outside of it, and no audit path that is too long', () => {
    const [first, second] = CT as [Hash, Hash];
    const root = (number: number, path: Hash[]) => rootFromPath(first, { number, size: 2, path });
    expect(root(1, [second])).not.toBeNull();
    expect([root(0, [second]), root(3, [second]), root(1, [second, second])]).toEqual([null, null, null]);
  });

  it('is the recursive definition at every size up to 130, and so is each audit path', () => {
    const leaves = Array.from({ length: 130 }, (_, at) => hashLeaf(Uint8Array.of(at)));
    let frontier = EMPTY;
    for (let size = 1; size <= leaves.length; size += 1) {
      frontier = appendLeaf(frontier, leaves[size - 1] as Hash).frontier;
      const root = hex(treeHash(leaves.slice(0, size)));
      expect(hex(rootOf(frontier))).toBe(root);
      // Every leaf of some sizes, and the ends of each size.
      const every = [64, 65, 100, 130].includes(size) ? 1 : size - 1 || 1;
      for (let number = 1; number <= size; number += every) {
        const path = auditPath(leaves.slice(0, size), number - 1);
        const leaf = leaves[number - 1] as Hash;
        expect(siblingsOf(number, size)).toHaveLength(path.length);
        expect(hex(rootFromPath(leaf, { number, size, path }) as Hash)).toBe(root);
        if (path.length > 0) expect(rootFromPath(leaf, { number, size, path: path.slice(1) })).toBeNull();
      }
    }
  });
});
