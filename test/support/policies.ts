import type { Approval, PullRequest } from '../../src/approvals/ports.ts';
import { type Policy, policySchema } from '../../src/contract/policy.ts';
import type { ChangedFiles, Contributor, PersonDetails, PullDetails } from '../../src/policies/details.ts';
import { matchFiles } from '../../src/policies/details-to-read.ts';
import { anApproval, aPull, aPullAuthor } from './fakes.ts';

type Wanted = Parameters<typeof policySchema.parse>[0];

/** A policy with these rules, each as an owner would write it, and a name if it has none. */
export function aPolicy(rules: object[], others: object = {}): Policy {
  const named = rules.map((rule, at) => ({ name: `rule ${at + 1}`, ...rule }));
  return policySchema.parse({ version: 1, ...others, rules: named } satisfies Wanted);
}

export const person = (
  githubId: number,
  login: string,
  change: Partial<PersonDetails> = {},
): PersonDetails => ({
  githubId,
  login,
  role: 'member',
  permission: 'write',
  isCollaborator: false,
  teams: [],
  ...change,
});

/** Mona opened the pull request and wrote its commits, and pushed it. Frank is an outside collaborator, and Gus has left. */
export const PEOPLE = {
  mona: person(2, 'mona'),
  octocat: person(3, 'octocat', { role: 'admin', permission: 'admin' }),
  dana: person(4, 'dana'),
  erin: person(5, 'erin', { permission: 'read', teams: ['@octo-org/security'] }),
  frank: person(6, 'frank', { role: null, isCollaborator: true }),
  gus: person(7, 'gus', { role: null, permission: 'none', teams: ['@octo-org/security'] }),
  hana: person(8, 'hana', { permission: 'maintain', teams: ['@octo-org/security', '@octo-org/docs'] }),
};
export type Name = keyof typeof PEOPLE;

export const contributor = (login: string, id: number, isMachine = false): Contributor => ({
  id,
  login,
  isMachine,
});
export const MONA = contributor('mona', 2);
export const BOT = contributor('dependabot[bot]', 50, true);

/** The details about a pull request, before its files are matched with a policy's paths. */
export type Known = Omit<PullDetails, 'files'> & { files: ChangedFiles | null };

/** As the policy's rules are judged by it. */
export const detailsFor = async (
  policy: Policy,
  { files, ...known }: Known,
  pull = aPull(),
): Promise<PullDetails> => ({
  ...known,
  files: files ? await matchFiles(policy, pull, files) : new Map(),
});

/** Everything is known: Mona's pull request changes `src/app.ts` and `docs/api.md`, in signed commits. */
export function someDetails(change: Partial<Known> = {}): Known {
  return {
    files: { paths: ['src/app.ts', 'docs/api.md'], isComplete: true },
    commits: { people: [MONA], areAllKnown: true, areAllVerified: true, commits: [], isComplete: true },
    pushers: [MONA],
    initiators: { people: [MONA], areAllKnown: true },
    agents: { hasHand: 'no', line: null },
    people: Object.values(PEOPLE),
    unreadTeams: [],
    ...change,
  };
}

/** The same of a pull request by a bot. */
export const botDetails = (change: Partial<Known> = {}): Known =>
  someDetails({
    commits: { people: [BOT], areAllKnown: true, areAllVerified: true, commits: [], isComplete: true },
    pushers: [BOT],
    initiators: { people: [], areAllKnown: true },
    ...change,
  });

export const botPull = (change: Partial<PullRequest> = {}): PullRequest =>
  aPull({ author: aPullAuthor(BOT), ...change });

/** An approval of `aPull()` by one of `PEOPLE`, with what the test changes. */
export function approvalBy(name: Name, change: Partial<Approval> = {}): Approval {
  const { githubId, login, role } = PEOPLE[name];
  return anApproval({ githubId, login, fromOutside: role === null && name !== 'gus', ...change });
}
