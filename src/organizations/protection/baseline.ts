import type { ProtectionBaseline } from '../../contract/protection.ts';
import type { Session } from '../../people/ports.ts';
import { sha256OfJson } from '../../shared/crypto.ts';
import { type RoleDeps, requireOwner } from '../require-role.ts';
import { compareRepository, withBaseline } from './compare.ts';
import type { RepositoryChecks } from './ports.ts';
import { logChanges, type WatchDeps } from './watch.ts';

/** A repository is read from the store twice, so this bounds one call. */
const MOST_REPOSITORIES = 1_000;

export type BaselineDeps = RoleDeps &
  WatchDeps & {
    repositoryChecks: RepositoryChecks;
    /** Begins a round of checks in the background, unless there was one in this minute. */
    checkRepositoriesSoon(): void;
  };

/**
 * Takes the bypass lists that an owner read with their own token, for those of the organization's repositories where we
 * don't know who may bypass. The lists decide nothing by themselves: GitHub is asked about each ruleset again, and a list
 * counts while the ruleset is as old as the owner saw it.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function takeBaseline(
  deps: BaselineDeps,
  input: ProtectionBaseline & { session: Session },
): Promise<{ filled: number }> {
  const { session, orgID, rulesets } = input;
  const org = await requireOwner(deps, session, orgID);
  const page = { state: 'bypassUnknown' as const, search: '', after: '', most: MOST_REPOSITORIES };
  const { repositories } = await deps.repositoryChecks.list(org.id, page);
  let filled = 0;
  for (const { id, required, bypass } of repositories) {
    const repo = await deps.repositoryChecks.get(id);
    if (!repo?.known) continue;
    const { changes, known } = compareRepository(
      repo.name,
      repo.known,
      withBaseline(repo.known, { rulesets }),
    );
    if (sha256OfJson(known) === sha256OfJson(repo.known)) continue;
    await logChanges(deps, org, { repoId: id, changes });
    const at = deps.clock.now();
    await deps.repositoryChecks.save(repo, { required, bypass, known, at, due: at });
    filled += 1;
  }
  if (filled === 0) return { filled };
  const at = deps.clock.now();
  await deps.weakenings.addStrengthening(
    org,
    { undone: [], at },
    {
      name: `baseline:${org.id}:${sha256OfJson({ rulesets, at })}`,
      effects: {
        activity: {
          activity: 'protectionBaseline',
          userId: session.userId,
          orgRecordId: org.id,
          data: { org: org.name, login: session.login, number: filled },
          facts: {},
          personFacts: { by: { id: session.githubId, login: session.login } },
        },
        notices: [],
      },
    },
  );
  deps.checkRepositoriesSoon();
  return { filled };
}
