import type { Permission } from '../contract/accounts.ts';
import type { Installation } from '../organizations/ports.ts';
import type { Session } from '../people/ports.ts';
import { requirePerson, type TokenChecks } from '../people/session.ts';
import type { Clock } from '../shared/clock.ts';
import { sha256Base64url } from '../shared/crypto.ts';
import { createExpiringMap, createReadOnce } from '../shared/expiring-map.ts';
import type { UserRepositories } from './ports.ts';

/** How long we remember the repositories that GitHub showed to a person. */
const REMEMBERED_MS = 5 * 60_000;

/** A session, and the GitHub token that it came with. */
export type Viewer = { session: Session; token: string | undefined };

/** The repositories that GitHub shows to a person, read with the person's own token. */
export type VisibleRepositories = {
  /** @throws AppError with each refusal of `requirePerson`, `githubUnavailable`. */
  installations(viewer: Viewer): Promise<Installation[]>;
  /** The repositories of one installation. @throws AppError as `installations` does. */
  in(viewer: Viewer, installation: number): Promise<ReadonlyMap<number, Permission>>;
  /** Asks again the next time: the person's access changed. */
  forget(githubId: number): void;
};

/**
 * Asks GitHub at most every five minutes for each person, so that a page can ask
 * us twice a minute. Only a token of the session's own person is ever used, and
 * only a hash of it is remembered.
 */
export function createVisibleRepositories(deps: {
  tokens: UserRepositories;
  checkToken: TokenChecks;
  clock: Clock;
}): VisibleRepositories {
  const installationsOnce = createReadOnce<Installation[]>(deps.clock, REMEMBERED_MS);
  const repositoriesOnce = createReadOnce<ReadonlyMap<number, Permission>>(deps.clock, REMEMBERED_MS);
  /** How often a person's access changed while an answer from before could be remembered. */
  const changes = createExpiringMap<number>(deps.clock, REMEMBERED_MS);
  const changesOf = (githubId: number) => changes.get(String(githubId)) ?? 0;

  const keyOf = ({ session: { githubId }, token = '' }: Viewer) =>
    `${githubId}:${changesOf(githubId)}:${sha256Base64url(token)}`;
  const installations = (viewer: Viewer) =>
    installationsOnce(keyOf(viewer), async () => {
      const { session, token = '' } = viewer;
      await requirePerson(deps.checkToken, session, token);
      return deps.tokens.installations(token);
    });
  return {
    installations,
    async in(viewer, installation) {
      await installations(viewer);
      return repositoriesOnce(`${keyOf(viewer)}:${installation}`, () =>
        deps.tokens.repositories(viewer.token ?? '', installation),
      );
    },
    forget: (githubId) => changes.set(String(githubId), changesOf(githubId) + 1),
  };
}
