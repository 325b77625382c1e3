import type { Pull } from './github-objects.ts';

/** The heads of pull requests whose branch moved. The emulator keeps the head with which a pull request was opened. */
export type MovedHeads = {
  move(pull: Pull, sha: string): void;
  isMoved(pull: Pull): boolean;
  /** The same value, in which each pull request has its present head. */
  apply(value: unknown): unknown;
};

const isPull = (value: object): value is Pull =>
  'number' in value && 'head' in value && 'base' in value && typeof value.head === 'object';

const keyOf = ({ base, number }: Pull) => `${base.repo.id}#${number}`;

export function createMovedHeads(): MovedHeads {
  const heads = new Map<string, string>();

  const withHead = (pull: Pull): Pull => {
    const sha = heads.get(keyOf(pull));
    if (sha === undefined) return pull;
    // The old head is also at the end of some URLs of the pull request.
    return JSON.parse(JSON.stringify(pull).replaceAll(pull.head.sha, sha)) as Pull;
  };

  const apply = (value: unknown): unknown => {
    if (heads.size === 0 || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(apply);
    if (isPull(value) && value.base?.repo) return withHead(value);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, apply(one)]));
  };

  return {
    move: (pull, sha) => void heads.set(keyOf(pull), sha),
    isMoved: (pull) => heads.has(keyOf(pull)),
    apply,
  };
}
