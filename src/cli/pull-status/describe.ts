import { printable } from '../print.ts';
import { UsageError } from '../usage-error.ts';
import type { PullRef, Reading } from './read-pull.ts';

/** @throws UsageError if it isn't a pull request's name. */
export function parsePullRef(text: string): PullRef {
  const [, owner, repo, number] =
    /^([A-Za-z0-9_-]{1,100})\/(?!\.{1,2}#)([A-Za-z0-9._-]{1,100})#([1-9][0-9]{0,8})$/.exec(text) ?? [];
  if (!owner || !repo) throw new UsageError('Name the pull request as OWNER/REPO#NUMBER.');
  return { owner, repo, number: Number(number) };
}

export const nameOf = ({ owner, repo, number }: PullRef) => `${owner}/${repo}#${number}`;

/** A reading for programs. */
export const toJson = ({ owner, repo, number }: PullRef, reading: Reading) => ({
  repository: `${owner}/${repo}`,
  number,
  ...reading,
});

/** What a person or an agent reads about a pull request's check, a sentence a line. Plain text. */
export function describeReading(
  ref: PullRef,
  { state, head, pull, approval, block, movedFrom }: Reading & { movedFrom?: string | null },
): string[] {
  const name = `${nameOf(ref)} at ${head.slice(0, 8)}`;
  const lines = [
    ...(movedFrom ? [`The head moved from ${movedFrom.slice(0, 8)} to ${head.slice(0, 8)}.`] : []),
    ...sentences[state](name, { block, approval }),
    ...(pull === 'open' ? [] : [`The pull request is ${pull}.`]),
  ];
  return lines.map(printable);
}

type Shown = Pick<Reading, 'block' | 'approval'>;

const sentences: Record<Reading['state'], (name: string, shown: Shown) => string[]> = {
  passed: (name) => [`${name} passed.`],
  waiting: (name, { block, approval }) => [
    `${name} waits for a person’s approval.`,
    ...(block?.rules ?? []).filter(({ met }) => !met).map((rule) => `${rule.name}: ${rule.missing}`),
    ...(approval ? [`A person approves in a browser: ${approval}`] : []),
  ],
  denied: (name, { block, approval }) => [
    block?.denied ? `${block.denied.by} denied ${name}: ${block.denied.reason}` : `${name} was denied.`,
    'A new commit waits for a new approval.',
    ...(approval ? [`Who denied it, and why: ${approval}`] : []),
  ],
  none: (name) => [
    `${name} has no check run of this App named OTP Guard.`,
    'See whether OTP Guard is installed there, and whether --app-id or --origin names it.',
  ],
};
