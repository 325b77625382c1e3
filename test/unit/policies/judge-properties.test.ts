import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { judgePull } from '../../../src/approvals/judge/judge.ts';
import type { Approval, Denial } from '../../../src/approvals/ports.ts';
import type { Policy } from '../../../src/contract/policy.ts';
import { applyingRules } from '../../../src/policies/applying-rules.ts';
import type { Contributor, PullCommits } from '../../../src/policies/details.ts';
import { aDenial, aPull } from '../../support/fakes.ts';
import {
  aPolicy,
  approvalBy,
  BOT,
  contributor,
  detailsFor,
  type Known,
  MONA,
  type Name,
  PEOPLE,
  someDetails,
} from '../../support/policies.ts';

const RUNS = { numRuns: process.env.SOAK ? 20_000 : 150 };

const names = Object.keys(PEOPLE) as Name[];
const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const rule = fc
  .record({
    enforced: fc.boolean(),
    when: fc.record(
      {
        branches: some('main', 'next', 'm*'),
        paths: some('src/**', 'docs/', 'lib/**', '**'),
        authors: fc.oneof(
          fc.constantFrom('anyone', 'people', 'machines'),
          some('mona', 'dana', 'dependabot[bot]', '@octo-org/security'),
        ),
        agents: fc.constant(true as const),
      },
      { requiredKeys: [] },
    ),
    require: fc.record(
      {
        approvals: fc.nat(3),
        from: some('members', 'owners', 'collaborators', 'dana', '@octo-org/security'),
        permission: fc.constantFrom('read', 'write', 'admin'),
        notBy: fc.subarray(['author', 'committers', 'pusher', 'initiator']),
        methods: some('passkey', 'totp'),
        userVerification: fc.constantFrom('preferred', 'required'),
      },
      { requiredKeys: [] },
    ),
  })
  // The schema refuses the others.
  .filter(({ when, require }) => !when.agents || require.approvals !== 0);
const rules = fc.array(rule, { maxLength: 4 });

const approval = fc
  .record({
    name: fc.constantFrom(...names),
    method: fc.constantFrom('passkey', 'totp'),
    userVerified: fc.boolean(),
  })
  .map(({ name, ...change }) => approvalBy(name, change as Partial<Approval>));
const approvals = fc.array(approval, { maxLength: 6 });

const contributors = fc.subarray([MONA, BOT, contributor('dana', 4), contributor('erin', 5)], {
  minLength: 1,
});
const details = fc
  .record({
    files: fc.record({
      paths: fc.subarray(['src/app.ts', 'docs/api.md', 'lib/x']),
      isComplete: fc.boolean(),
    }),
    commits: maybe(
      fc.record({
        people: contributors,
        areAllKnown: fc.boolean(),
        areAllVerified: fc.boolean(),
        commits: fc.constant<PullCommits['commits']>([]),
        isComplete: fc.boolean(),
      }),
    ),
    pushers: fc.oneof(
      fc.constant<(Contributor | null)[]>([]),
      contributors,
      contributors.map((some) => [...some, null]),
    ),
    initiators: fc.record({ people: contributors, areAllKnown: fc.boolean() }),
    agents: fc.constantFrom('yes', 'no', 'maybe').map((hasHand) => ({ hasHand, line: null }) as const),
    unreadTeams: fc.subarray(['@octo-org/security']),
  })
  .map(({ commits, ...change }) => someDetails({ ...change, commits: commits ?? null }));

const pull = aPull();
const groundsOf = async (policy: Policy, known: Known) => ({
  policy,
  details: new Map([[pull.number, await detailsFor(policy, known)]]),
  hasRoots: false,
});
const passes = async (wanted: object[], given: Approval[], known: Known, denials: Denial[] = []) =>
  judgePull(pull, { approvals: given, denials }, await groundsOf(aPolicy(wanted), known)).passed;

describe('for all rules, approvals and details', () => {
  it('one more approval never makes a pull request wait that passed', async () => {
    await fc.assert(
      fc.asyncProperty(rules, approvals, approval, details, async (wanted, given, more, known) => {
        fc.pre(await passes(wanted, given, known));
        expect(await passes(wanted, [...given, more], known)).toBe(true);
      }),
      RUNS,
    );
  });

  it('nothing passes with a denial, and without it everything is as it was', async () => {
    await fc.assert(
      fc.asyncProperty(rules, approvals, details, async (wanted, given, known) => {
        expect(await passes(wanted, given, known, [aDenial({ base: 'other', pr: 99 })])).toBe(false);
        const elsewhere = [
          aDenial({ repoId: 99 }),
          aDenial({ head: 'cd'.repeat(20) }),
          aDenial({ orgId: 99 }),
        ];
        expect(await passes(wanted, given, known, elsewhere)).toBe(await passes(wanted, given, known));
      }),
      RUNS,
    );
  });

  it('one more rule never makes one pass that waited, if an enforced rule applied', async () => {
    await fc.assert(
      fc.asyncProperty(rules, rule, approvals, details, async (wanted, more, given, known) => {
        const policy = aPolicy(wanted);
        const { needsMember } = applyingRules(pull, {
          policy,
          details: await detailsFor(policy, known),
          hasRoots: false,
        });
        fc.pre(!needsMember && !(await passes(wanted, given, known)));
        expect(await passes([...wanted, more], given, known)).toBe(false);
      }),
      RUNS,
    );
  });

  it('nothing passes without an approval, unless a rule asks for none', async () => {
    await fc.assert(
      fc.asyncProperty(rules, details, async (wanted, known) => {
        const asksForSome = wanted.map((one) => ({
          ...one,
          require: { ...one.require, approvals: one.require.approvals || 1 },
        }));
        expect(await passes(asksForSome, [], known)).toBe(false);
      }),
      RUNS,
    );
  });

  it('the order of rules and of approvals doesn’t matter', async () => {
    const shuffled = <T>(items: T[]) => fc.shuffledSubarray(items, { minLength: items.length });
    const orders = fc.tuple(rules, approvals).chain(([wanted, given]) =>
      fc.record({
        wanted: fc.constant(wanted),
        given: fc.constant(given),
        otherRules: shuffled(wanted),
        otherApprovals: shuffled(given),
      }),
    );
    await fc.assert(
      fc.asyncProperty(orders, details, async ({ wanted, given, otherRules, otherApprovals }, known) => {
        const result = await passes(wanted, given, known);
        expect(await passes(otherRules, otherApprovals, known)).toBe(result);
      }),
      RUNS,
    );
  });

  it('one more person who asked for it, known or not, never makes one pass that waited', async () => {
    const more = fc.option(fc.constantFrom(contributor('hana', 8), contributor('gus', 7), MONA));
    await fc.assert(
      fc.asyncProperty(rules, approvals, details, more, async (wanted, given, known, person) => {
        fc.pre(!(await passes(wanted, given, known)));
        const { people, areAllKnown } = known.initiators;
        const initiators = person
          ? { people: [...people, person], areAllKnown }
          : { people, areAllKnown: false };
        expect(await passes(wanted, given, { ...known, initiators })).toBe(false);
      }),
      RUNS,
    );
  });

  it('one more commit of an agent, with an account or without, never makes one pass that waited', async () => {
    const claude = contributor('claude[bot]', 60, true);
    const link = fc.constantFrom('linked', 'unlinked');
    await fc.assert(
      fc.asyncProperty(rules, approvals, details, link, async (wanted, given, known, link) => {
        // A rule about all machines is about this one too, and can replace the one approval of a member.
        const isLinked = link === 'linked' && wanted.every(({ when }) => when.authors !== 'machines');
        fc.pre(!(await passes(wanted, given, known)));
        const { commits } = known;
        const people = [...(commits?.people ?? []), ...(isLinked ? [claude] : [])];
        const areAllKnown = isLinked && commits?.areAllKnown === true;
        const after = {
          ...known,
          commits: commits && { ...commits, people, areAllKnown },
          agents: { hasHand: 'yes' as const, line: null },
        };
        expect(await passes(wanted, given, after)).toBe(false);
      }),
      RUNS,
    );
  });

  // One person of whom we don't know is made up for by one more approval. More than one can't be, and docs/policy.md says so.
  it('what is known in part never passes what doesn’t pass when all is known', async () => {
    const others = fc.subarray([contributor('dana', 4)]);
    const complete = fc.tuple(details, others).map(([known, pushers]) => ({
      ...known,
      files: { paths: known.files?.paths ?? [], isComplete: true },
      commits: { people: [MONA], areAllKnown: true, areAllVerified: true, commits: [], isComplete: true },
      pushers: [MONA, ...pushers],
      initiators: { people: [MONA], areAllKnown: true },
      unreadTeams: [],
    }));
    const hidden = fc.subarray([
      'files',
      'commits',
      'pushers',
      'initiators',
      'agents',
      'teams',
      'dana',
      'erin',
    ] as const);
    await fc.assert(
      fc.asyncProperty(rules, approvals, complete, hidden, async (wanted, given, known, hides) => {
        const inPart = hide(known, hides);
        fc.pre(await passes(wanted, given, inPart));
        expect(await passes(wanted, given, known)).toBe(true);
      }),
      { ...RUNS, numRuns: RUNS.numRuns * 2 },
    );
  });
});

function hide(known: Known, hides: readonly string[]): Known {
  const without = <T>(part: string, value: T, otherwise: T) => (hides.includes(part) ? value : otherwise);
  const nobody = { people: [], areAllKnown: false, areAllVerified: false, commits: [], isComplete: false };
  return {
    files: without('files', { paths: [], isComplete: false }, known.files),
    commits: without('commits', nobody, known.commits),
    pushers: without('pushers', [...known.pushers.slice(1), null], known.pushers),
    initiators: without('initiators', { people: [], areAllKnown: false }, known.initiators),
    agents: without('agents', { hasHand: 'maybe', line: null }, known.agents),
    people: known.people
      .filter(({ login }) => !hides.includes(login))
      .map((one) => ({ ...one, teams: without('teams', [], one.teams) })),
    unreadTeams: without('teams', ['@octo-org/security'], []),
  };
}
