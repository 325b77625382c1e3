import type { Credential } from '../../authenticators/ports.ts';
import { firstOneObstacle } from '../../authenticators/register/first-one-obstacle.ts';
import { ASSURED_TOTP, assuredOf } from '../../authenticators/require-assured.ts';
import {
  issueChallenge,
  requestOptions,
  withoutAuthenticator,
} from '../../authenticators/step-up/challenges.ts';
import type {
  ApprovalParamsAnswer,
  ApprovalTarget,
  RuleOutcome,
  ShownDenial,
} from '../../contract/approvals.ts';
import type { Assurance, Policy } from '../../contract/policy.ts';
import { problems } from '../../contract/problems.ts';
import type { RepositoryRef } from '../../organizations/ports.ts';
import type { Session } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { changesUrl, type Origins, pullUrl } from '../../shared/links.ts';
import { groundsOf, type JudgedPull, judge, judgePull, needsOf } from '../judge/judge.ts';
import { readGrounds } from '../judge/read-grounds.ts';
import type { Denial, FileList, PullRequest } from '../ports.ts';
import { findEarlier, storyOf } from '../story.ts';
import { type AuthorizedTarget, authorizeApprover } from './authorize-approver.ts';
import type { ApproveDeps } from './deps.ts';
import { makeStatement, statementChallenge } from './make-statement.ts';
import { hasApprovedTooOften, previewUses, type Use } from './require-counted.ts';
import { showFiles } from './show-files.ts';

const NO_APP = "You don't have an authenticator app here. Use your passkey or security key.";

/**
 * The statement about this head, and the WebAuthn request that lets the person
 * sign it with one of their authenticators of this organization.
 *
 * @param input.method `totp` if the person is going to approve with a one-time
 *   code: the statement is only shown then, and no challenge is issued. `show` is
 *   the same for a person who may have no authenticator yet, and `show-code` if
 *   their browser can only do one-time codes.
 * @param input.files `all` waits for the whole list of changed files, and `soon` for a moment. Without it, the first 100
 *   are listed if that takes no longer than everything else.
 * @throws AppError with each refusal of `authorizeApprover`, or
 *   `missingAuthenticator`.
 */
export async function approvalOptions(
  deps: ApproveDeps,
  input: {
    person: Session;
    target: ApprovalTarget;
    method?: string | undefined;
    files?: 'all' | 'soon' | undefined;
  },
): Promise<ApprovalParamsAnswer> {
  const { person, method } = input;
  const { userId } = person;
  // Nothing else waits for GitHub's list of files, and nothing fails without it.
  let files: Promise<FileList | null> = Promise.resolve(null);
  const authorized = await authorizeApprover(deps, person, input.target, {
    onAdmitted(repository) {
      const most = input.files ? 'all' : 'first';
      files = deps.pullChanges.list(repository, input.target.pr, most).catch(() => null);
    },
  });
  const { org, repo, pull } = authorized;
  deps.recheckRun({ repo, repoId: pull.repo.id, head: pull.head });
  const isByCode = method === 'totp' || method === 'show-code';
  const isForAnyone = method === 'show' || method === 'show-code';
  const held = findHeld(deps, { userId, orgRecordId: org.id, method, isForAnyone });
  const { shown, policy, userVerification } = await showTarget(deps, { person, authorized, held, isByCode });
  const shownFiles = await showFiles(deps, { pull, files }, { list: input.files ?? 'first', policy });
  const statement = makeStatement(deps, { person, org, pull, files: shownFiles });
  const challenge = statementChallenge(statement);
  const options = await requestOptions(deps.relyingParty, await held, { challenge, userVerification });
  const issued = { challenge, purpose: 'approve', userId, orgId: org.orgId, subject: statement } as const;
  if (!isByCode && !isForAnyone) await issueChallenge(deps, issued);
  return { challenge, options, statement, ...shown, files: shownFiles };
}

/**
 * The person's credentials in the organization.
 *
 * @throws AppError `missingAuthenticator` or why theirs don't count, if they have none for this method.
 */
export async function findHeld(
  deps: Pick<ApproveDeps, 'credentials' | 'totpApps'>,
  input: { userId: string; orgRecordId: string; method: string | undefined; isForAnyone?: boolean },
): Promise<Credential[]> {
  const { userId, orgRecordId, method, isForAnyone = false } = input;
  const credentials = await deps.credentials.list(userId, orgRecordId);
  const hasAuthenticator =
    method === 'totp'
      ? (await deps.totpApps.find(userId, orgRecordId)) !== null
      : credentials.length > 0 || isForAnyone;
  if (!hasAuthenticator && credentials.length > 0) throw new AppError('wouldNotCount', { sentence: NO_APP });
  if (!hasAuthenticator) throw await withoutAuthenticator(deps.credentials, userId, orgRecordId);
  return credentials;
}

/** The part of the answer that doesn't depend on the challenge or on the files. */
type ShownTarget = Omit<ApprovalParamsAnswer, 'challenge' | 'options' | 'statement' | 'files'>;

/**
 * Reads what the person sees of a target, how it's judged now by the policy that it returns, whether their approval
 * would count, and the user verification that it needs.
 *
 * @param input.held The person's credentials in the organization, or the reading of them.
 * @param input.isByCode Whether they're going to approve with a one-time code.
 * @throws AppError `githubUnavailable`, `storeUnavailable`.
 */
export async function showTarget(
  deps: ApproveDeps,
  input: {
    person: Session;
    authorized: AuthorizedTarget;
    held: Credential[] | Promise<Credential[]>;
    isByCode?: boolean;
  },
): Promise<{ shown: ShownTarget; policy: Policy; userVerification: Assurance['userVerification'] }> {
  const { person, authorized, isByCode = false } = input;
  const { org, repo, pull } = authorized;
  const { id: repoId, ownerId } = pull.repo;
  const [held, ofHead, { policy }, story, pulls] = await Promise.all([
    input.held,
    deps.approvals.ofHead(repoId, pull.head),
    deps.policies.inForce(ownerId),
    storyOf(deps, pull),
    readWithHead(deps, authorized),
  ]);
  const { valid: approvals, denials } = ofHead;
  const grounds = await readGrounds(deps, { repo, pulls, approvals, person, policy });
  const own = approvals.filter(({ githubId }) => githubId === person.githubId);
  const verdict = judge({ head: pull.head, pulls, approvals, denials, grounds });
  const judged = verdict.pulls.find((one) => one.pull.number === pull.number);
  const [yours] = judgePull(pull, { approvals: own, denials: [] }, grounds).approvals;
  const uses = usesOf(policy.assurance, isByCode ? 'totp' : held);
  const registration = { policy, userId: person.userId, orgRecordId: org.id, onlyCodes: isByCode };
  const obstacle = held.length === 0 ? await firstOneObstacle(deps, registration) : null;
  const { refusal, userVerification } = previewUses(pull, groundsOf(pull, grounds), {
    person,
    fromOutside: authorized.fromOutside,
    uses,
  });
  const isTooMuch = !yours && hasApprovedTooOften(ofHead, person);
  const shownDenials = await toShownDenials(deps, judged?.denials ?? [], person);
  const isDenied = shownDenials.some(({ isYours }) => isYours);
  const limit = isDenied ? problems.alreadyDenied : isTooMuch ? problems.approvedTooOften : undefined;
  const shown = {
    pull: toShownPull(deps.origins, pull, findEarlier(story.approvals, pull.head)?.head ?? null),
    story,
    target: toTarget(repo, pull),
    yourApproval: yours ? { method: yours.method, at: yours.at.toISOString() } : null,
    passed: judged?.passed === true && judged.approvals.length > 0,
    needs: needsOf(verdict, pull.number),
    rules: judged?.rules.map(toOutcome) ?? [],
    agents: judged?.agents ?? null,
    denials: shownDenials,
    maySetAside: authorized.isOwner,
    refusal: limit?.[1] ?? refusal ?? obstacle,
  };
  return { shown, policy, userVerification };
}

async function toShownDenials(
  { users }: Pick<ApproveDeps, 'users'>,
  denials: Denial[],
  person: Session,
): Promise<ShownDenial[]> {
  if (denials.length === 0) return [];
  const avatars = await users.avatars(denials.map(({ githubId }) => githubId));
  return denials.map(({ id, githubId, login, method, at, reason }) => ({
    ...{ id, login, method, reason },
    avatarUrl: avatars.get(githubId) ?? '',
    at: at.toISOString(),
    isYours: githubId === person.githubId,
  }));
}

/** More pull requests are read as GitHub's list of all. */
const MOST_READ_ALONE = 10;

/**
 * The pull request, and the other open ones with its head that we know of: the check is the head's. A page waits for no
 * list, which can be long, because it only shows them. The approval asks GitHub for all.
 */
async function readWithHead(deps: ApproveDeps, { repo, pull }: AuthorizedTarget): Promise<PullRequest[]> {
  const saved = await deps.openPulls.withHead(pull.repo.id, pull.head);
  const others = saved.map(({ pr }) => pr).filter((pr) => pr !== pull.number);
  const candidates =
    others.length > MOST_READ_ALONE
      ? ((await deps.pulls.listOpen(repo)) ?? []).filter(({ number }) => others.includes(number))
      : await Promise.all(others.map((pr) => deps.pulls.get(repo, pr)));
  const isOther = (candidate: PullRequest | null) =>
    candidate?.open && candidate.head === pull.head && candidate.repo.id === pull.repo.id;
  return [pull, ...candidates.flatMap((one) => (one && isOther(one) ? [one] : []))];
}

function toTarget({ installation }: RepositoryRef, pull: PullRequest): ApprovalParamsAnswer['target'] {
  const { id: repoID, owner, name: repo, ownerId: ownerID } = pull.repo;
  return { installation, owner, ownerID, repo, repoID, pr: pull.number, head: pull.head };
}

function toShownPull(
  origins: Origins,
  pull: PullRequest,
  approvedBefore: string | null,
): ApprovalParamsAnswer['pull'] {
  return {
    title: pull.title,
    author: pull.author && { login: pull.author.login, avatarUrl: pull.author.avatarUrl },
    url: pullUrl(origins, pull),
    changesUrl: changesUrl(origins, pull),
    headBranch: pull.headBranch,
    approvedBefore,
    size: pull.size,
  };
}

/**
 * The uses by which a person can approve: of their credentials, or of a one-time code. Whether
 * a credential verifies them is only known afterwards. Without any: everything
 * that they can register.
 */
export function usesOf(assurance: Assurance, held: Credential[] | 'totp'): Use[] {
  if (held === 'totp') return [{ ...ASSURED_TOTP, userVerified: false }];
  if (held.length > 0) return held.map((credential) => ({ ...assuredOf(credential), userVerified: true }));
  const [aaguid = ''] = assurance.models;
  const best = { deviceBound: true, aaguid, modelVerified: true, userVerified: true };
  return assurance.methods.map((method) => ({ ...best, method }));
}

/** A rule's outcome, for the dashboard. */
const toOutcome = ({ counted, ...outcome }: JudgedPull['rules'][number]): RuleOutcome => ({
  ...outcome,
  by: counted.map(({ login }) => login),
});
