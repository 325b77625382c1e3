import type { Policy } from '../contract/policy.ts';

/** A known agent, by the logins and addresses that it acts and commits with, in lower case. */
export type KnownAgent = { name: string; logins: string[]; emails: string[] };

/** Coding agents. Their addresses were looked up in public commits and the agents' documentation in November 2026. */
export const AGENTS: KnownAgent[] = [
  { name: 'Claude', logins: ['claude[bot]'], emails: ['noreply@anthropic.com'] },
  {
    name: 'Copilot',
    logins: ['copilot-swe-agent[bot]', 'copilot', 'copilot-pull-request-reviewer[bot]'],
    emails: [],
  },
  {
    name: 'Codex',
    logins: ['chatgpt-codex-connector[bot]'],
    emails: ['noreply@openai.com', 'codex@openai.com'],
  },
  { name: 'Cursor', logins: ['cursor[bot]'], emails: ['cursoragent@cursor.com'] },
  {
    name: 'Devin',
    logins: ['devin-ai-integration[bot]'],
    emails: ['devin@cognition.ai', 'devin@cognition-labs.com'],
  },
  { name: 'Jules', logins: ['google-labs-jules[bot]'], emails: ['jules@google.com'] },
  {
    name: 'Gemini',
    logins: ['gemini-code-assist[bot]'],
    emails: ['noreply@google.com', 'gemini@google.com'],
  },
];

/** Machines that update dependencies: no agents, and no people. */
export const DEPENDENCY_UPDATES: KnownAgent[] = [
  { name: 'Dependabot', logins: ['dependabot[bot]'], emails: ['support@github.com'] },
  { name: 'Renovate', logins: ['renovate[bot]'], emails: ['bot@renovateapp.com'] },
];

/** The agents that everybody knows, and the organization's own. A login without `[bot]` also names the App of that name. */
export const agentsOf = ({ agents: { logins, emails } }: Policy): KnownAgent[] => [
  ...AGENTS,
  ...logins.map((name) => ({ name, logins: [name.toLowerCase(), `${name.toLowerCase()}[bot]`], emails: [] })),
  ...emails.map((name) => ({ name, logins: [], emails: [name] })),
];

/** What names an account or a person: a login, or the address and name that a commit claims. */
export type Hand = { login?: string; email?: string | null; name?: string };

/** The beginning of a name, after that of a maker, and the first word of it: `GitHub Copilot`, `octo-ai:model`. */
const BEGINNING = /^(?:(?:anthropic|github|google|openai) )?(([a-z\d]+)[^\s:,]*)/;

/** Finds the agent with this login or address. Without both, the one that the beginning of the name names: `Claude:model`. */
export type FindAgent = (hand: Hand) => KnownAgent | null;

export function createFindAgent(known: KnownAgent[]): FindAgent {
  const byEach = (keysOf: (agent: KnownAgent) => string[]) =>
    new Map(known.flatMap((agent) => keysOf(agent).map((key) => [key, agent] as const)));
  const byLogin = byEach(({ logins }) => logins);
  const byEmail = byEach(({ emails }) => emails);
  const byName = byEach(({ name }) => [name.toLowerCase()]);
  return ({ login, email, name }) => {
    if (login !== undefined) return byLogin.get(login.toLowerCase()) ?? null;
    if (email) return byEmail.get(email.toLowerCase()) ?? null;
    const [, beginning = '', word = ''] = BEGINNING.exec((name ?? '').toLowerCase()) ?? [];
    const named = byName.get(beginning) ?? byLogin.get(beginning) ?? byEmail.get(beginning);
    return named ?? byName.get(word) ?? null;
  };
}

/**
 * Reads the address with which GitHub hides a person's own: `<id>+<login>@users.noreply.github.com`. Its former form has
 * no id. Null for another address, or one of another GitHub.
 */
export function readNoreply(email: string, githubUrl: string): { id: number | null; login: string } | null {
  const [, local = '', host] = /^([^@]{1,200})@(.{1,300})$/.exec(email) ?? [];
  if (host?.toLowerCase() !== `users.noreply.${new URL(githubUrl).hostname}`) return null;
  const [, id, login] = /^(?:([1-9]\d{0,14})\+)?([\w-]+(?:\[bot\])?)$/.exec(local) ?? [];
  return login === undefined ? null : { id: id === undefined ? null : Number(id), login };
}
