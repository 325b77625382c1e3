import type { Pull } from './github-objects.ts';

const isPull = (value: object): value is Pull =>
  'number' in value && 'head' in value && 'base' in value && typeof value.head === 'object';

const keyOf = ({ base, number }: Pull) => `${base.repo.id}#${number}`;

export type MovedHeads = ReturnType<typeof createMovedHeads>;

/** The heads of pull requests whose branch moved. The emulator keeps the head with which a pull request was opened. */
export function createMovedHeads() {
  const heads = new Map<string, string>();

  const withHead = (pull: Pull): Pull => {
    const sha = heads.get(keyOf(pull));
    if (sha === undefined) return pull;
    // The old head is also at the end of some URLs of the pull request.
    return JSON.parse(JSON.stringify(pull).replaceAll(pull.head.sha, sha)) as Pull;
  };

  /** The same value, in which each pull request has its present head. */
  const apply = (value: unknown): unknown => {
    if (heads.size === 0 || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(apply);
    if (isPull(value) && value.base?.repo) return withHead(value);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, apply(one)]));
  };

  return {
    move: (pull: Pull, sha: string) => void heads.set(keyOf(pull), sha),
    isMoved: (pull: Pull) => heads.has(keyOf(pull)),
    apply,
  };
}
