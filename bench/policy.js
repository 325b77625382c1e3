// Measures how long rules take to judge a large pull request: 50 rules over 3,000 files and 250 commits. It should be at
// most 20 ms of processor time.  npm run bench -- policy
import { judgePull } from '../dist/approvals/judge/judge.js';
import { policySchema } from '../dist/contract/policy.js';
import { matchFiles } from '../dist/policies/needed-facts.js';
import { at, median, report } from './compare.js';

const ROUNDS = 40;
const MOST_MS = 20;
const RULES = 50;
const HEAD = 'ab'.repeat(20);

const repo = { id: 42, owner: 'octo-org', name: 'web', ownerId: 9 };
const pull = { number: 7, head: HEAD, base: 'main', open: true, repo, author: personAt(0) };
const paths = Array.from(
  { length: 3_000 },
  (_, index) => `packages/part-${index % 60}/src/feature-${index % 7}/view-${index}.tsx`,
);
const people = Array.from({ length: 250 }, (_, index) => personAt(index));
const known = {
  commits: { people, areAllKnown: true, areAllVerified: true, isComplete: true },
  pushers: [personAt(0)],
  people: people.map(({ id, login }) => ({
    githubId: id,
    login,
    role: 'member',
    permission: 'write',
    isCollaborator: false,
    teams: id % 2 === 0 ? ['@octo-org/security'] : [],
  })),
  unreadTeams: [],
};
const approvals = people.slice(0, 20).map(({ id, login }) => ({
  id: String(id),
  orgId: 9,
  repoId: 42,
  pr: 7,
  base: 'main',
  head: HEAD,
  githubId: id,
  login,
  method: 'passkey',
  userVerified: true,
}));

/** Half of the rules match no file, and half the last one, so that all files are tried. */
const PATTERNS = ['infra/**', '**/view-2999.tsx', '**/*.tf', 'packages/*/src/*/view-2999.*'];
const rules = Array.from({ length: RULES }, (_, index) => ({
  name: `rule ${index}`,
  when: { branches: ['main', 'release-*'], paths: [PATTERNS[index % PATTERNS.length]] },
  require: { approvals: 2, from: ['@octo-org/security'], notBy: ['author', 'committers', 'pusher'] },
}));
const policy = policySchema.parse({ version: 1, rules });

const times = [];
for (let round = 0; round <= ROUNDS; round += 1)
  times.push(
    await processorMs(async () => {
      const files = await matchFiles(policy, pull, { paths, isComplete: true });
      judgePull(pull, approvals, { policy, facts: new Map([[7, { ...known, files }]]), hasRoots: false });
    }),
  );
// The first of all compiles the program.
const ratios = times.slice(1).map((ms) => ms / MOST_MS);
report({
  name: `policy, judging ${RULES} rules, against ${MOST_MS} ms of processor time`,
  ratio: median(ratios),
  spread: at(ratios, 0.9) - at(ratios, 0.1),
  goal: 1,
  a: `${(median(ratios) * MOST_MS).toFixed(1)} ms`,
  b: `${MOST_MS} ms`,
});

function personAt(index) {
  return { id: index + 1, login: `person-${index}`, isMachine: false };
}

async function processorMs(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
