import type { ProtectionBaseline } from '../contract/protection.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { sha256OfJson } from '../shared/crypto.ts';
import { sentLists } from './compare.ts';
import type { ProtectionDeps } from './deps.ts';

/** A repository is read from the store twice, so this bounds one call. */
const MOST_REPOSITORIES = 1_000;

/**
 * Takes the bypass lists that an owner read with their own token, for those of the organization's repositories where we
 * don't know who may bypass. The lists alone decide nothing: the next reading of each repository asks GitHub, takes
 * the lists of rulesets that are as old as the owner saw them, and logs what became weaker.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function takeBaseline(
  deps: ProtectionDeps,
  input: ProtectionBaseline & { session: Session },
): Promise<{ filled: number }> {
  const { session, orgID, rulesets } = input;
  const org = await requireOwner(deps, session, orgID);
  const page = { state: 'bypassUnknown' as const, search: '', after: '', most: MOST_REPOSITORIES };
  const { repositories } = await deps.repositoryChecks.list(org.id, page);
  let filled = 0;
  const now = deps.clock.now();
  for (const { id, required, bypass, checked } of repositories) {
    const repo = await deps.repositoryChecks.get(id);
    if (!repo?.known) continue;
    const { hasNews, sent } = sentLists(repo.known, rulesets);
    if (!hasNews) continue;
    // As if it were part of the last reading: who did something since then stays noted.
    const found = { required, bypass, known: { ...repo.known, sent }, at: checked ?? now, due: now };
    if (await deps.repositoryChecks.save(repo, found)) filled += 1;
  }
  if (filled === 0) return { filled };
  await deps.weakenings.addStrengthening(
    org,
    { undone: [], at: now },
    {
      name: `baseline:${org.id}:${sha256OfJson({ rulesets, at: now })}`,
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
