import type { Teams } from '../approvals/ports.ts';
import type { Organization } from '../organizations/ports.ts';
import type { Clock } from '../shared/clock.ts';
import { createExpiringMap } from '../shared/expiring-map.ts';

const REMEMBERED_MS = 5 * 60_000;

type Person = { githubId: number; login: string };

/** Those of these teams (`@org/team`) that a person belongs to, as of the last five minutes. */
export type TeamAnswers = (org: Organization, teams: string[], person: Person) => Promise<Set<string>>;

/** Remembers GitHub's answers, since a list asks again and again. If GitHub doesn't answer, nobody belongs to the team. */
export function createTeamAnswers(deps: { teams: Teams; clock: Clock }): TeamAnswers {
  /** By person: the teams that GitHub was asked about. */
  const known = createExpiringMap<Map<string, boolean>>(deps.clock);
  return async (org, teams, person) => {
    if (teams.length === 0) return new Set();
    const key = `${org.installationId}:${person.githubId}`;
    const answers = known.get(key) ?? new Map<string, boolean>();
    if (answers.size === 0) known.set(key, answers, REMEMBERED_MS);
    const at = { installation: org.installationId, owner: org.name };
    const ask = async (team: string) => {
      const has = await deps.teams.has(at, team, person).catch(() => undefined);
      if (has !== undefined) answers.set(team, has === true);
    };
    await Promise.all(teams.filter((team) => !answers.has(team)).map(ask));
    return new Set(teams.filter((team) => answers.get(team)));
  };
}
