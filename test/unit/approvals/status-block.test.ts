import { expect, it } from '@jest/globals';
import { Parser } from 'commonmark';
import { judgeHead, judgeRead } from '../../../src/approvals/check-run/head.ts';
import { statusText } from '../../../src/approvals/check-run/status-block.ts';
import { aboutToPass, headContent, minimalContent } from '../../../src/approvals/check-run/texts.ts';
import { judge } from '../../../src/approvals/judge/judge.ts';
import type { Approval, Denial, PullRequest } from '../../../src/approvals/ports.ts';
import { type Policy, policySchema } from '../../../src/contract/policy.ts';
import { statusBlock } from '../../../src/contract/status.ts';
import { approvalUrl } from '../../../src/shared/links.ts';
import { aDenial, anApproval, aPull, HEAD, REPO } from '../../support/fakes.ts';
import { HEAD_REF, ORIGINS, world } from './world.ts';

const NO_RULES: Policy = policySchema.parse({ version: 1 });

const verdictOf = (
  pulls: PullRequest[],
  approvals: Approval[] = [],
  policy = NO_RULES,
  denials: Denial[] = [],
) =>
  judge({ head: HEAD, pulls, approvals, denials, grounds: { policy, details: new Map(), hasRoots: false } });

/** The only code block that a Markdown parser sees in the text, which ends with it. */
function blockIn(text = '') {
  const blocks: string[] = [];
  const walker = new Parser().parse(text).walker();
  for (let event = walker.next(); event; event = walker.next())
    if (event.node.type === 'code_block') blocks.push(`${event.node.info}:${event.node.literal}`);
  expect(blocks).toHaveLength(1);
  const [, json = ''] = /^json:(.*)\n$/.exec(blocks[0] ?? '') ?? [];
  expect(text.endsWith(`\n\n\`\`\`json\n${json}\n\`\`\``)).toBe(true);
  return { json, ...statusBlock.parse(JSON.parse(json)) };
}

it('says who denied a commit, and why, even if everything else is met', () => {
  const reason = 'drops `a` table ```\u200d❤️';
  const denials = [aDenial({ login: 'mona', reason: 'first' }), aDenial({ reason })];
  const { text } = headContent(ORIGINS, REPO, verdictOf([aPull()], [anApproval()], NO_RULES, denials));
  expect(blockIn(text)).toMatchObject({ state: 'denied', denied: { by: 'octocat', reason } });
});

it('says what a waiting commit needs, and where a person approves it', () => {
  const { text } = headContent(ORIGINS, REPO, verdictOf([aPull()]));
  const { json, ...block } = blockIn(text);
  expect(text?.split('\n')[0]).toBe(
    'For programs, in the form of [its schema](https://guard.example.org/status.schema.json):',
  );
  expect(block).toEqual({
    otpGuard: 1,
    state: 'waiting',
    head: HEAD,
    base: 'main',
    pulls: [{ number: 7, since: aPull().createdAt.toISOString() }],
    rules: [{ name: 'Every pull request', met: false, missing: '1 approval from any member' }],
    denied: null,
    approval: approvalUrl(ORIGINS, REPO, aPull()),
    retryAfter: 60,
    note: 'Only a person can approve, in a browser.',
  });
});

it('leads to the pull request that waits, if another one with the same commit passed', () => {
  const second = aPull({ number: 8, base: 'next' });
  const { json, ...block } = blockIn(
    headContent(ORIGINS, REPO, verdictOf([aPull(), second], [anApproval()])).text,
  );
  expect(block).toMatchObject({
    state: 'waiting',
    base: 'next',
    pulls: [{ number: 8 }, { number: 7 }],
    rules: [
      { name: 'Every pull request', met: false },
      { name: 'Every pull request', met: true, missing: '' },
    ],
    approval: approvalUrl(ORIGINS, REPO, second),
  });
});

it('has no rule that is only reported', () => {
  const rules = [{ name: 'trial', enforced: false, require: { approvals: 5 } }];
  const policy = policySchema.parse({ version: 1, rules });
  const { text } = headContent(ORIGINS, REPO, verdictOf([aPull()], [anApproval()], policy));
  expect(blockIn(text)).toMatchObject({
    state: 'passed',
    rules: [{ name: 'Every pull request', met: true }],
  });
});

it('has a block that no name or reason can close early', () => {
  const hostile = '```\n[x](https://evil.example)\n~~~ </details> \u202e\u200b\u2028\u{e0041} \ud800 "\\`';
  const rules = [{ name: hostile.replaceAll(/[\n\ud800]/g, ''), require: { approvals: 1 } }];
  const pull = aPull({ base: hostile });
  const { pulls } = verdictOf([pull], [], policySchema.parse({ version: 1, rules }));
  const denied = { by: 'mona', reason: hostile };
  const { json, ...block } = blockIn(
    statusText(ORIGINS, { pulls }, { state: 'denied', denied, approval: '' }),
  );
  expect(block).toMatchObject({ base: hostile, denied, rules: [{ name: rules[0]?.name }] });
  expect(json).not.toMatch(/[`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
});

it('has at most 16 KiB: 50 pull requests, and of the rules as many as fit, unmet ones first', () => {
  const rules = Array.from({ length: 50 }, (_, index) => ({
    name: `${index} ${'`'.repeat(60)}`,
    when: { branches: [`release-${index}`] },
  }));
  const policy = policySchema.parse({ version: 1, rules });
  const pulls = Array.from({ length: 60 }, (_, index) =>
    aPull({ number: 90_000 + index, base: `release-${index}` }),
  );
  const denied = { by: 'mona', reason: '`'.repeat(500) };
  const approvals = [
    anApproval({ pr: 90_000, base: 'release-0' }),
    anApproval({ pr: 90_055, base: 'release-55' }),
  ];
  const text = statusText(ORIGINS, verdictOf(pulls, approvals, policy), {
    state: 'denied',
    denied,
    approval: 'a'.repeat(2_000),
  });
  const block = blockIn(text);
  const size = Buffer.byteLength(text?.slice(text.indexOf('```')) ?? '');
  expect([size > 15 * 1024, size <= 16 * 1024]).toEqual([true, true]);
  expect(block.pulls).toHaveLength(50);
  expect(block.pulls.map(({ number }) => number)).not.toContain(90_055);
  expect(block.rules.length).toBeLessThan(50);
  expect(block.rules.every(({ met }) => !met)).toBe(true);
});

it('is left out where no pull request is open, while a run is about to pass, and where GitHub refuses the text', () => {
  expect(headContent(ORIGINS, REPO, verdictOf([])).text).toBeUndefined();
  const content = headContent(ORIGINS, REPO, verdictOf([aPull()], [anApproval()]));
  expect(content.text).toBeDefined();
  expect(aboutToPass(content).text).toBeUndefined();
  expect(minimalContent(content).text).toBeUndefined();
});

it('is no part of a run’s state: another form of it rewrites no completed run', async () => {
  const w = world();
  w.approvals.put(anApproval());
  const head = await judgeHead(w, HEAD_REF);
  if (!head) throw new Error('no head');
  const moved = judgeRead({ origins: { ...ORIGINS, publicUrl: 'https://elsewhere.example.org' } }, head);
  expect(moved.content.text).not.toBe(head.content.text);
  expect([head.content.status, moved.fingerprint]).toEqual(['completed', head.fingerprint]);
});
