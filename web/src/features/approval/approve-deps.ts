import { startAuthentication } from '@simplewebauthn/browser';
import type { Client } from '../../lib/client.ts';
import type { User } from '../../lib/user.ts';
import type { RequestDeps } from './approval-request.ts';
import type { ApprovalTarget } from './approval-target.ts';
import type { ApproveDeps } from './approve.ts';

/** Collects what an approval of this target by this person needs. */
export function approveDeps(
  { api, session, config }: Pick<Client, 'api' | 'session' | 'config'>,
  { username, githubId }: Pick<User, 'username' | 'githubId'>,
  { target, type }: { target: ApprovalTarget; type: RequestDeps['type'] },
): ApproveDeps {
  const { owner, ownerID, repo, repoID, pr, head } = target;
  const user = { login: username, githubId };
  const repoId = repoID ? Number(repoID) : null;
  const pull = { orgId: Number(ownerID), repo: `${owner}/${repo}`, repoId, pr: Number(pr), head };
  const screen = { host: config.origin, user, ...pull };
  const sign: ApproveDeps['sign'] = (optionsJSON) => startAuthentication({ optionsJSON });
  return { api, accessToken: session.accessToken, screen, sign, type, now: () => performance.now() };
}
