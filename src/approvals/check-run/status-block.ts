import type { StatusBlock } from '../../contract/status.ts';
import { neededOf } from '../../policies/judge-rules.ts';
import type { JudgedPull, Verdict } from '../judge/judge.ts';

/** The most bytes of the block, with its fence. */
const LONGEST_BLOCK = 16 * 1024;
const MOST_PULLS = 50;

type Shown = Pick<StatusBlock, 'state' | 'denied' | 'approval'>;

/**
 * The text of a head's run: a line for people, and at its end the block for programs, in a fence that nothing in it can
 * close. It isn't part of the run's fingerprint, so a newer form of it rewrites no run. What is left out follows from the
 * verdict alone: pull requests beyond the fiftieth, then rules from the end until the block fits.
 *
 * @param shown.approval The address that the run's *Details* leads to.
 * @returns Undefined without an open pull request.
 */
export function statusText(
  { publicUrl }: { publicUrl: string },
  { pulls }: Pick<Verdict, 'pulls'>,
  shown: Shown,
): string | undefined {
  const ordered = [...pulls.filter(({ passed }) => !passed), ...pulls.filter(({ passed }) => passed)];
  const [first] = ordered;
  if (!first) return undefined;
  const rules = rulesOf(ordered);
  const blockOf = (kept: StatusBlock['rules']): StatusBlock => ({
    otpGuard: 1,
    state: shown.state,
    head: first.pull.head,
    base: first.pull.base,
    pulls: ordered
      .slice(0, MOST_PULLS)
      .map(({ pull }) => ({ number: pull.number, since: pull.createdAt.toISOString() })),
    rules: kept,
    denied: shown.denied,
    approval: shown.approval,
    retryAfter: 60,
    note: 'Only a person can approve, in a browser.',
  });
  let room = LONGEST_BLOCK - Buffer.byteLength(fenced(blockOf([])));
  const end = rules.findIndex((rule) => {
    room -= Buffer.byteLength(plainJson(rule)) + 1;
    return room < 0;
  });
  const block = fenced(blockOf(end < 0 ? rules : rules.slice(0, end)));
  return `For programs, in the form of [its schema](${publicUrl}/status.schema.json):\n\n${block}`;
}

/** The enforced rules of these pull requests, each outcome once, unmet ones first. */
function rulesOf(pulls: JudgedPull[]): StatusBlock['rules'] {
  const outcomes = pulls.flatMap((judged) =>
    judged.rules
      .filter(({ enforced }) => enforced)
      .map(({ name, met, missing }) => ({
        name: name || 'Every pull request',
        met,
        missing: neededOf(missing),
      })),
  );
  const once = [...new Map(outcomes.map((outcome) => [JSON.stringify(outcome), outcome])).values()];
  return [...once.filter(({ met }) => !met), ...once.filter(({ met }) => met)];
}

const fenced = (block: StatusBlock) => `\`\`\`json\n${plainJson(block)}\n\`\`\``;

/** One line of JSON without backquotes, which could end the fence, and without characters that nobody sees. */
const plainJson = (value: object): string =>
  JSON.stringify(value).replace(/[`\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
