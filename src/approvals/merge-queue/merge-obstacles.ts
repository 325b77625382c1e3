import { codeSpan, escapeText } from '../check-run/markdown.ts';

/** Why a merge group may not merge or has to wait, in one sentence each. */
export const mergeObstacles = {
  failedBefore: (pr: number) => `#${pr} couldn't merge when this group was created.`,
  headMoved: (pr: number) => `#${pr} has a different commit than when this group was created.`,
  notOpen: (pr: number) => `#${pr} isn't an open pull request.`,
  otherBase: (pr: number, base: string, queue: string) =>
    `#${pr} goes into ${codeSpan(base)}, not into ${codeSpan(queue)}.`,
  notApproved: (pr: number, head: string) => `Nobody has approved commit \`${short(head)}\` of #${pr}.`,
  ruleNotMet: (pr: number, head: string, { name, missing }: { name: string; missing: string }) =>
    `Commit \`${short(head)}\` of #${pr} doesn't have what the rule ${codeSpan(name)} asks for: ${escapeText(missing)}`,
  unknownBase: (baseSha: string, base: string) =>
    `The group is built on commit \`${short(baseSha)}\`, which is neither the tip of ${codeSpan(base)} ` +
    'nor a group that OTP Guard knows.',
  baseWaits: (pr: number) => `The group is built on the group of #${pr}, which has no verdict yet.`,
  baseFailed: (pr: number) => `#${pr}, which this group is built on, may not merge.`,
};

const short = (sha: string) => sha.slice(0, 8);
