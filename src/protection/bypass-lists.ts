import type { BypassLists } from '../contract/bypass-lists.ts';
import type { BypassListsAnswer } from '../contract/organization-health.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { sha256OfJson } from '../shared/crypto.ts';
import { withOwners } from './bypass.ts';
import { sentLists } from './compare.ts';
import type { ProtectionDeps } from './deps.ts';
import type { SentList } from './ports.ts';
import { toBypassActor } from './ruleset-actor.ts';
import { watchRepository } from './watch.ts';

/** A repository is read from the store twice, so this bounds one call. */
const MOST_REPOSITORIES = 1_000;
/** The repositories that the owner reads about in the answer. */
const MOST_ANSWERED = 10;

/**
 * Takes the bypass lists that an owner read with their own token, for those of the organization's repositories where we
 * don't know who may bypass. The lists alone decide nothing: the next reading of each repository asks GitHub, takes
 * the lists of rulesets that are as old as the owner saw them, and logs what became weaker. What we know from them is
 * marked as said by the owner.
 *
 * @throws AppError with each refusal of `requireOwner`.
 */
export async function takeBypassLists(
  deps: ProtectionDeps,
  input: Pick<BypassLists, 'orgID'> & { text: BypassLists['text']; session: Session },
): Promise<BypassListsAnswer> {
  const { session, orgID, text } = input;
  const org = await requireOwner(deps, session, orgID);
  const page = { state: 'bypassUnknown' as const, search: '', after: '', most: MOST_REPOSITORIES };
  const { repositories } = await deps.repositoryChecks.list(org.id, page);
  const now = deps.clock.now();
  const said = { by: session.githubId, at: now.toISOString() };
  const rulesets = text.map(
    ({ id, updated, actors }): SentList => ({ id, updated, bypass: actors.map(toBypassActor), said }),
  );
  const filled: number[] = [];
  for (const { id, required, bypass, environments, checked } of repositories) {
    const repo = await deps.repositoryChecks.get(id);
    if (!repo?.known) continue;
    const { hasNews, sent } = sentLists(repo.known, rulesets);
    if (!hasNews) continue;
    // As if it were part of the last reading: who did something since then stays noted.
    const known = { ...repo.known, sent };
    const found = { required, bypass, known, environments, at: checked ?? now, due: now };
    if (await deps.repositoryChecks.save(repo, found)) filled.push(id);
  }
  if (filled.length === 0) return { filled: 0, repositories: [] };
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
          data: { org: org.name, login: session.login, number: filled.length },
          facts: {},
          personFacts: { by: { id: session.githubId, login: session.login } },
        },
        notices: [],
      },
    },
  );
  deps.checkRepositoriesSoon();
  const owners = (await deps.knownAccounts.get(org.id))?.owners ?? null;
  const known: BypassListsAnswer['repositories'] = [];
  for (const id of filled.slice(0, MOST_ANSWERED)) {
    const repo = await deps.repositoryChecks.get(id);
    if (!repo) continue;
    const { name, defaultBranch } = repo;
    const { bypass } = await watchRepository(deps, repo);
    known.push({ name, defaultBranch, bypass: withOwners(bypass, owners) });
  }
  return { filled: filled.length, repositories: known };
}
