import type { Person } from '../accounts/ports.ts';
import { AppError } from '../app-error.ts';
import { issueChallenge } from '../authenticators/challenges.ts';
import type { Challenges, Credentials, RelyingParty, TotpApps } from '../authenticators/ports.ts';
import { requestOptions } from '../authenticators/request-options.ts';
import type { Clock, Random } from '../clock.ts';
import type { ApprovalParamsAnswer, ApprovalTarget } from '../contract/approvals.ts';
import type { HeadRef } from './ensure-run.ts';
import { type InspectDeps, inspect } from './inspect.ts';
import { changesUrl, type Places, pullUrl } from './links.ts';
import type { Approvals } from './ports.ts';
import { makeStatement, statementChallenge } from './statement.ts';

export type OptionsDeps = InspectDeps & {
  approvals: Approvals;
  challenges: Challenges;
  credentials: Credentials;
  totpApps: TotpApps;
  relyingParty: RelyingParty;
  /** Puts the head's run right behind the person's back, where it is missing or wrong at GitHub. */
  restore(at: HeadRef): void;
  places: Places;
  clock: Clock;
  random: Random;
};

/**
 * What the person is asked to sign about this head, and the request that lets
 * their own authenticators of this organization sign it.
 *
 * @throws AppError with each refusal of `inspect`, or `missingAuthenticator`.
 */
export async function approvalOptions(
  deps: OptionsDeps,
  input: {
    person: Pick<Person, 'userId' | 'githubId' | 'login'>;
    target: ApprovalTarget;
    /** `totp` where the person will approve with a one-time code: the answer shows what, and no key signs it. */
    method?: string | undefined;
  },
): Promise<ApprovalParamsAnswer> {
  const { person, target } = input;
  const { org, repo, pull } = await inspect(deps, person, target);
  deps.restore({ repo, repoId: pull.repo.id, head: pull.head });
  const [own, approvedBefore] = await Promise.all([
    deps.credentials.of(person.userId, org.id),
    deps.approvals.previousHead(pull.repo.id, pull.number, pull.head),
  ]);
  const byCode = input.method === 'totp';
  const hasOwn = byCode ? (await deps.totpApps.of(person.userId, org.id)) !== null : own.length > 0;
  if (!hasOwn) throw new AppError('missingAuthenticator');

  const statement = makeStatement({
    host: deps.places.publicUrl,
    user: { id: person.githubId, login: person.login },
    org: { id: org.orgId, login: org.name },
    pull,
    now: deps.clock.now(),
    random: deps.random,
  });
  const challenge = statementChallenge(statement);
  const options = await requestOptions(deps.relyingParty, own, challenge);
  if (!byCode) {
    await issueChallenge(deps, {
      challenge,
      purpose: 'approve',
      userId: person.userId,
      orgId: org.orgId,
      subject: statement,
    });
  }
  return {
    challenge,
    options,
    statement,
    pull: {
      title: pull.title,
      author: pull.author,
      url: pullUrl(deps.places, pull),
      changesUrl: changesUrl(deps.places, pull),
      approvedBefore,
    },
  };
}
