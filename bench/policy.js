// Measures how long rules take to judge a large pull request: 50 rules over 3,000 files and 250 commits, compared with
// the same files and one pattern, compiled before. Exits with 1 above 20 ms of processor time.  npm run bench -- policy
import { judgePull } from '../dist/approvals/judge.js';
import { policySchema } from '../dist/contract/policy.js';

const ROUNDS = 40;
const MOST_MS = 20;
const RULES = 50;
const HEAD = 'ab'.repeat(20);

const repo = { id: 42, owner: 'octo-org', name: 'web', ownerId: 9 };
const pull = { number: 7, head: HEAD, base: 'main', open: true, repo, author: personAt(0) };
const paths = Array.from(
  { length: 3_000 },
  (_, at) => `packages/part-${at % 60}/src/feature-${at % 7}/view-${at}.tsx`,
);
const people = Array.from({ length: 250 }, (_, at) => personAt(at));
const facts = {
  files: { paths, isComplete: true },
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
const grounds = { policy, facts: new Map([[7, facts]]), hasRoots: false };

const expression = /^infra\/.*$/s;
const times = { judged: [], bare: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  // Alternately, so that both have the same load on the machine.
  times.judged.push(processorMs(() => judgePull(pull, approvals, grounds)));
  times.bare.push(processorMs(matchBare));
}
const applying = judgePull(pull, approvals, grounds).rules.length;
const [judged, bare] = [median(times.judged), median(times.bare)];
console.log(
  `${RULES} rules, of which ${applying} apply, over ${paths.length} files and ${people.length} commits`,
);
console.table([
  {
    'judged (ms)': judged.toFixed(1),
    'first (ms)': times.judged[0].toFixed(1),
    'slowest (ms)': Math.max(...times.judged).toFixed(1),
    'bare loop (ms)': bare.toFixed(1),
    ratio: (judged / bare).toFixed(1),
  },
]);
if (judged > MOST_MS) {
  console.error(`Above ${MOST_MS} ms of processor time.`);
  process.exit(1);
}

function matchBare() {
  let matching = 0;
  for (let rule = 0; rule < RULES; rule += 1)
    for (const path of paths) if (expression.test(path)) matching += 1;
  return matching;
}

function personAt(at) {
  return { id: at + 1, login: `person-${at}`, isMachine: false };
}

function processorMs(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(values) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
}
