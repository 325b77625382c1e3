import type { Permission } from '../contract/policy.ts';
import type { Installation } from '../organizations/ports.ts';
import type { Session } from '../people/ports.ts';
import { requirePerson, type TokenChecks } from '../people/session.ts';
import type { Clock } from '../shared/clock.ts';
import { sha256Base64url } from '../shared/crypto.ts';
import { createExpiringMap } from '../shared/expiring-map.ts';
import type { UserRepositories } from './ports.ts';

/** How long we remember the repositories that GitHub showed to a person. */
const REMEMBERED_MS = 5 * 60_000;

/** A session, and the GitHub token that it came with. */
export type Viewer = { session: Session; token: string | undefined };

type Shown = {
  /** The hash of the token that GitHub showed it to. */
  tokenHash: string;
  installations: Promise<Installation[]>;
  repositories: Map<number, Promise<ReadonlyMap<number, Permission>>>;
};

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
  const known = createExpiringMap<Shown>(deps.clock);

  const shownTo = ({ session, token = '' }: Viewer): Shown => {
    const key = String(session.githubId);
    const tokenHash = sha256Base64url(token);
    const before = known.get(key);
    if (before?.tokenHash === tokenHash) return before;
    const installations = requirePerson(deps.checkToken, session, token).then(() =>
      deps.tokens.installations(token),
    );
    const shown = { tokenHash, installations, repositories: new Map() };
    known.set(key, shown, REMEMBERED_MS);
    // A refusal or an outage isn't remembered.
    installations.catch(() => known.get(key) === shown && known.delete(key));
    return shown;
  };

  return {
    installations: (viewer) => shownTo(viewer).installations,
    async in(viewer, installation) {
      const { installations, repositories } = shownTo(viewer);
      await installations;
      const before = repositories.get(installation);
      if (before !== undefined) return before;
      const reading = deps.tokens.repositories(viewer.token ?? '', installation);
      repositories.set(installation, reading);
      reading.catch(() => repositories.delete(installation));
      return reading;
    },
    forget: (githubId) => known.delete(String(githubId)),
  };
}
