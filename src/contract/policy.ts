import { z } from 'zod';
import { isTeam, permissions } from './accounts.ts';
import { authenticatorTypes } from './authenticator-kinds.ts';
import { emailAddress } from './email.ts';
import { accountLogin, textLike } from './fields.ts';
import { patternFault } from './patterns.ts';
import { isAboutDeployments } from './rule-subjects.ts';

/** The most rules of a policy, and the most entries of each list in it. */
const MOST_RULES = 100;
export const MOST_ENTRIES = 100;
const MOST_APPROVALS = 5;
/** The most in all rules together: each team can cost requests to GitHub at every judgement, and each path is tried on each file. */
const MOST_TEAMS = 50;
const MOST_PATHS = 500;

const line = (text: string) =>
  z
    .string({ error: text })
    .trim()
    .min(1, { error: text })
    .max(200, { error: 'At most 200 characters.' })
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'No control characters.' });

const listOf = <T extends z.ZodType>(entry: T, empty: string) =>
  z
    .array(entry, { error: 'A list is needed here.' })
    .min(1, { error: empty })
    .max(MOST_ENTRIES, { error: `At most ${MOST_ENTRIES} entries.` });

const listOrNone = <T extends z.ZodType>(entry: T) =>
  z
    .array(entry, { error: 'A list is needed here.' })
    .max(MOST_ENTRIES, { error: `At most ${MOST_ENTRIES} entries.` })
    .default([]);

const glob = line('A pattern is needed here, such as docs/** or release-*.');

/** `@org/team`, by GitHub's slug of the team. */
const team = textLike(
  /^@[A-Za-z0-9_-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/,
  'A team is needed here, such as @octo-org/security.',
);

/** A bot, by the name that GitHub gives it: `dependabot[bot]`. */
const bot = z.string().regex(/^[A-Za-z0-9_-]{1,100}\[bot\]$/);

const NEITHER = 'This is neither a login nor a team, such as octocat or @octo-org/security.';
const loginOrTeam = z.union([accountLogin(NEITHER), team], { error: NEITHER });
const author = z.union([accountLogin(NEITHER), bot, team], { error: NEITHER });

const NO_LOGIN = 'A login is needed here, such as octo-ai or octo-ai[bot].';
const loginOrBot = z.union([accountLogin(NO_LOGIN), bot], { error: NO_LOGIN });

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `Choose ${values.slice(0, -1).join(', ')} or ${values.at(-1)}.` });

const methods = listOf(
  oneOf(authenticatorTypes as ['totp', 'passkey', 'security-key']),
  'Name at least one method.',
);
const userVerification = oneOf(['preferred', 'required']);

/** At most 30 days, after which GitHub lets a job fail that waits. */
const MOST_HOURS = 30 * 24;

const when = z.strictObject({
  /** Globs over the repository's name without its owner. */
  repositories: listOf(glob, 'Name at least one repository.').optional(),
  /** Globs over the base branch. */
  branches: listOf(glob, 'Name at least one branch.').optional(),
  /** Globs over the changed files. */
  paths: listOf(glob, 'Name at least one path.').optional(),
  /** Globs over the environment of a deployment, and over its branch or tag: with either, the rule is about deployments. */
  environments: listOf(glob, 'Name at least one environment.').optional(),
  refs: listOf(glob, 'Name at least one branch or tag.').optional(),
  authors: z
    .union([oneOf(['anyone', 'people', 'machines']), listOf(author, 'Name at least one author.')], {
      error: 'Choose anyone, people or machines, or list logins and teams.',
    })
    .default('anyone'),
  /** The rule is about pull requests in which an agent had a hand. What agents did can only make a policy ask for more. */
  agents: z.literal(true, { error: 'Only true is possible here.' }).optional(),
});

const requirement = z.strictObject({
  approvals: z
    .number({ error: 'A number of approvals is needed here.' })
    .int({ error: 'A whole number of approvals is needed here.' })
    .min(0, { error: 'At least 0 approvals.' })
    .max(MOST_APPROVALS, { error: `At most ${MOST_APPROVALS} approvals.` })
    .default(1),
  /** `members`, `owners`, `collaborators` (of the repository, from outside), logins and teams. */
  from: listOf(loginOrTeam, 'Name at least one source of approvals.').default(['members']),
  permission: oneOf(permissions).optional(),
  notBy: z
    .array(oneOf(['author', 'committers', 'pusher', 'initiator']), { error: 'A list is needed here.' })
    .max(4, { error: 'Each at most once.' })
    .default([]),
  methods: methods.optional(),
  userVerification: userVerification.default('preferred'),
  /** What meets a rule about deployments without an approval: an approved merge into the ref, at most this long ago. */
  satisfiedBy: z
    .strictObject({
      merge: z.strictObject({
        hours: z
          .number({ error: 'A number of hours is needed here.' })
          .int({ error: 'A whole number of hours is needed here.' })
          .min(1, { error: 'At least 1 hour.' })
          .max(MOST_HOURS, { error: `At most ${MOST_HOURS} hours.` }),
      }),
    })
    .optional(),
});

const rule = z.strictObject({
  name: line('Give the rule a name.').pipe(z.string().max(100, { error: 'At most 100 characters.' })),
  /** False while an organization tries it: the rule only reports then. */
  enforced: z.boolean({ error: 'true or false is needed here.' }).default(true),
  when: when.prefault({}),
  require: requirement.prefault({}),
});

const enrolment = z.strictObject({
  /** The way a person's first authenticator in the organization gets in. */
  mode: oneOf(['open', 'email', 'vouched']).default('open'),
  /** The domains of addresses, for `email`. */
  domains: listOrNone(
    z
      .string({ error: 'A domain is needed here, such as example.org.' })
      .trim()
      .toLowerCase()
      .max(253, { error: 'At most 253 characters.' })
      .regex(
        /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+\p{L}[\p{L}\p{M}\p{N}-]{1,62}$/u,
        { error: 'A domain is needed here, such as example.org.' },
      ),
  ),
  /** The people who may vouch, for `vouched`. */
  vouchers: oneOf(['owners', 'members']).default('owners'),
  /** From this day on (UTC), authenticators from before `vouched` need a vouch too. */
  vouchExistingBy: z.iso.date({ error: 'A day is needed here, such as 2027-01-31.' }).optional(),
});

const assurance = z.strictObject({
  methods: methods.default([...authenticatorTypes]),
  userVerification: userVerification.default('preferred'),
  /** True if authenticators count only if their key can't leave the device. */
  deviceBound: z.boolean({ error: 'true or false is needed here.' }).default(false),
  /** AAGUIDs; any model counts if there are none. */
  models: listOrNone(
    z
      .guid({ error: 'An AAGUID is needed here, such as ee882879-721c-4913-9775-3dfcce97072a.' })
      .toLowerCase(),
  ),
});

/** The organization's own agents, by their logins in any case, and the addresses in their commits. */
const agents = z.strictObject({
  logins: listOrNone(loginOrBot),
  emails: listOrNone(emailAddress.toLowerCase()),
});

/** A policy says how a first authenticator is guarded, with what people approve, and who has to approve what. */
export const policySchema = z
  .strictObject({
    version: z.literal(1, { error: 'version: 1 is needed here.' }),
    enrolment: enrolment.prefault({}),
    assurance: assurance.prefault({}),
    agents: agents.prefault({}),
    rules: z
      .array(rule, { error: 'A list of rules is needed here.' })
      .max(MOST_RULES, { error: `At most ${MOST_RULES} rules.` })
      .default([]),
  })
  .superRefine(({ enrolment: { mode, domains }, assurance: { methods: counted }, rules }, context) => {
    const fault = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if (mode === 'email' && domains.length === 0)
      fault(['enrolment', 'domains'], 'Name at least one domain.');
    if (mode === 'vouched' && !counted.some((method) => method !== 'totp'))
      fault(
        ['assurance', 'methods'],
        "Nobody can vouch for a one-time code: add 'passkey' or 'security-key'.",
      );
    const names = rules.map(({ name }) => name);
    for (const [at, name] of names.entries())
      if (names.indexOf(name) !== at) fault(['rules', at, 'name'], 'Another rule has this name.');
    for (const [at, { when, require }] of rules.entries()) {
      if (when.agents && require.approvals === 0)
        fault(['rules', at, 'require', 'approvals'], 'A rule about agents needs at least 1 approval.');
      const others = [
        ...(['branches', 'paths', 'agents'] as const).filter((name) => when[name] !== undefined),
        ...(when.authors === 'anyone' ? [] : ['authors']),
      ];
      if (isAboutDeployments({ when }))
        for (const name of others)
          fault(['rules', at, 'when', name], 'A rule about deployments can only name repositories too.');
      else if (require.satisfiedBy)
        fault(
          ['rules', at, 'require', 'satisfiedBy'],
          'Only a rule with environments or refs can have this.',
        );
    }
    const teams = rules
      .flatMap(({ when, require }) => [...require.from, ...[when.authors].flat()])
      .filter(isTeam);
    if (new Set(teams.map((team) => team.toLowerCase())).size > MOST_TEAMS)
      fault(['rules'], `At most ${MOST_TEAMS} teams in all rules.`);
    if (rules.flatMap((one) => one.when.paths ?? []).length > MOST_PATHS)
      fault(['rules'], `At most ${MOST_PATHS} paths in all rules.`);
  });

export type Policy = z.infer<typeof policySchema>;
export type Rule = Policy['rules'][number];
export type EnrolmentMode = Policy['enrolment']['mode'];
export type Assurance = Policy['assurance'];
export type OwnAgents = Policy['agents'];

/** Where a policy is wrong first, and what to do. `path` is empty if it isn't a policy at all. */
export type PolicyFault = { path: (string | number)[]; message: string };

type ParsedPolicy = { policy: Policy; fault?: never } | { policy?: never; fault: PolicyFault };

function firstPatternFault({ rules }: Policy): PolicyFault | null {
  for (const [rule, { when }] of rules.entries())
    for (const kind of ['repositories', 'branches', 'paths', 'environments', 'refs'] as const)
      for (const [at, pattern] of (when[kind] ?? []).entries()) {
        const message = patternFault(kind, pattern);
        if (message) return { path: ['rules', rule, 'when', kind, at], message };
      }
  return null;
}

/** The policy with every part that was left out, or its first fault. */
export function parsePolicy(value: unknown): ParsedPolicy {
  const { data, error } = policySchema.safeParse(value);
  if (data) {
    const fault = firstPatternFault(data);
    return fault ? { fault } : { policy: data };
  }
  const issue = error.issues[0];
  const path = (issue?.path ?? []).map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue?.code === 'unrecognized_keys')
    return { fault: { path: [...path, nameOf(issue.keys[0])], message: 'There is no such setting.' } };
  return {
    fault: {
      path,
      message:
        issue?.code === 'invalid_type' && path.length === 0
          ? 'A policy is needed here.'
          : (issue?.message ?? ''),
    },
  };
}

/** A name that a client sent, fit for a sentence. */
const nameOf = (key = '') => key.replace(/[\p{Cc}\p{Cs}]/gu, '').slice(0, 50);

/** The fault as one sentence: `rules.0.require.from: Name at least one source of approvals.` */
export const faultSentence = ({ path, message }: PolicyFault): string =>
  path.length === 0 ? message : `${path.join('.')}: ${message}`;
