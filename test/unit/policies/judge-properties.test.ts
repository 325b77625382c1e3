import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { judgePull } from '../../../src/approvals/judge/judge.ts';
import type { Approval, Decision, Denial } from '../../../src/approvals/ports.ts';
import { judgeDecisions } from '../../../src/deployments/judge/judge-deployment.ts';
import { applyingRules } from '../../../src/policies/applying-rules.ts';
import type { Contributor, PullCommits, RuledPull } from '../../../src/policies/details.ts';
import { judgeRules } from '../../../src/policies/judge-rules.ts';
import { aDecision, aDenial, aPull } from '../../support/fakes.ts';
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
const ruledBy = async (wanted: object[], known: Known) => {
  const policy = aPolicy(wanted);
  return { policy, details: await detailsFor(policy, known), hasRoots: false };
};
const passes = async (wanted: object[], given: Approval[], known: Known, denials: Denial[] = []) => {
  const { details, ...grounds } = await ruledBy(wanted, known);
  const all = { ...grounds, details: new Map([[pull.number, details]]) };
  return judgePull(pull, { approvals: given, denials }, all).passed;
};

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
        const { needsMember } = applyingRules(pull, await ruledBy(wanted, known));
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

/** Few of them pass, and by a narrow margin. */
const MORE_RUNS = { numRuns: Math.max(RUNS.numRuns, 750) };
const deployRule = fc
  .record({
    rule,
    when: fc.constantFrom<object>(
      { environments: ['RELEASE'] },
      { environments: ['stag*'] },
      { refs: ['m*'] },
      { refs: ['v*'] },
    ),
    satisfiedBy: maybe(fc.constant({ merge: { hours: 8 } })),
  })
  .map(({ rule: { enforced, require }, when, satisfiedBy }) => ({
    ...{ enforced, when, require: { ...require, satisfiedBy } },
  }));
const deployRules = fc.array(deployRule, { minLength: 1, maxLength: 3 });

const decision = fc
  .record({ given: approval, decision: fc.constantFrom('approve', 'approve', 'approve', 'reject') })
  .map(({ given: { githubId, method, userVerified, fromOutside }, decision }) =>
    aDecision({ decision, githubId, method, userVerified, fromOutside } as Partial<Decision>),
  );
const decisions = fc.array(decision, { maxLength: 5 });

/** Mona's pull request brought the commit in, or none did. */
const releases = fc.record({
  starters: fc.subarray([MONA, contributor('dana', 4), contributor('hana', 8)], { minLength: 1 }),
  hasPull: fc.boolean(),
  mergedAt: fc.constantFrom(null, new Date('2026-05-04T11:00:00Z'), new Date('2026-05-04T03:00:00Z')),
});
type Release = typeof releases extends fc.Arbitrary<infer R> ? R : never;
const OF_PULL = ['commits', 'pushers', 'initiators', 'agents'];

/** A release as rules see it, without what GitHub hides. */
function seen({ starters, hasPull, mergedAt }: Release, hides: readonly string[] = []) {
  const isHidden = hides.includes('pull');
  // Without a pull request, nobody knows who wrote the commit. One more unknown person isn't made up for.
  const hidesStarters = hasPull && hides.includes('starters');
  const people = hidesStarters ? starters.filter(({ id }) => id !== MONA.id) : starters;
  const deployment = {
    ...{ environment: 'release', starters: { people, areAllKnown: !hidesStarters } },
    ...{
      isWithoutPull: !hasPull && !isHidden,
      mergedAt: isHidden ? null : mergedAt,
      now: new Date('2026-05-04T12:00:00Z'),
    },
  };
  const isShown = hasPull && !isHidden;
  const base = hides.includes('ref') ? '' : 'main';
  const subject = { repo: pull.repo, base, author: isShown ? MONA : null, deployment };
  return { subject, known: hide(someDetails(), isShown ? hides : [...hides, ...OF_PULL]) };
}

const deploys = async (wanted: object[], given: Decision[], { subject, known }: ReturnType<typeof seen>) =>
  judgeDecisions(given, { subject, grounds: await ruledBy(wanted, known), denials: [] }).passed;

describe('for all rules, decisions and deployments', () => {
  it('rules about deployments change nothing for a pull request, and the others nothing for a deployment', async () => {
    await fc.assert(
      fc.asyncProperty(rules, deployRules, approvals, releases, async (others, own, given, release) => {
        const { subject, known } = seen(release);
        const judged = async (one: RuledPull, wanted: object[]) =>
          judgeRules(one, given, await ruledBy(wanted, known));
        expect(await judged(pull, [...others, ...own])).toEqual(await judged(pull, others));
        expect(await judged(subject, [...own, ...others])).toEqual(await judged(subject, own));
      }),
      RUNS,
    );
  });

  it('one more approval never makes one wait that passed, and one more rejection always does', async () => {
    await fc.assert(
      fc.asyncProperty(deployRules, decisions, decision, releases, async (wanted, given, more, release) => {
        fc.pre(await deploys(wanted, given, seen(release)));
        expect(await deploys(wanted, [more, ...given], seen(release))).toBe(more.decision === 'approve');
      }),
      MORE_RUNS,
    );
  });

  it('what is known in part never passes what waits when all is known', async () => {
    const parts = ['pull', 'starters', 'ref', ...OF_PULL, 'teams', 'dana', 'erin'];
    const hidden = fc.oneof(
      fc.constant(['pull']),
      fc.constant(['starters']),
      fc.constant(['ref']),
      fc.subarray(parts),
    );
    await fc.assert(
      fc.asyncProperty(deployRule, decisions, releases, hidden, async (one, others, release, hides) => {
        const wanted = [{ ...one, enforced: true, require: { notBy: ['author'], ...one.require } }];
        const given = [aDecision({ githubId: MONA.id }), ...others];
        fc.pre(await deploys(wanted, given, seen(release, hides)));
        expect(await deploys(wanted, given, seen(release))).toBe(true);
      }),
      MORE_RUNS,
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
