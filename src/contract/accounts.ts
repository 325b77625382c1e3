/** GitHub's permissions on a repository, the weakest first. */
export const permissions = ['read', 'triage', 'write', 'maintain', 'admin'] as const;
export type Permission = (typeof permissions)[number];

/** Tells whether a name in a rule is a team's: no login contains this sign. */
export function isTeam(name: string): boolean {
  return name.startsWith('@');
}
