import type { Credential } from '../../authenticators/ports.ts';
import {
  issueChallenge,
  requestOptions,
  withoutAuthenticator,
} from '../../authenticators/step-up/challenges.ts';
import type {
  ApprovalTarget,
  BatchItem,
  BatchParamsAnswer,
  BatchSubject,
  LeftOut,
} from '../../contract/approvals.ts';
import type { Assurance, Policy } from '../../contract/policy.ts';
import type { Session } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import type { FileList, PullRequest } from '../ports.ts';
import { showTarget } from './approval-options.ts';
import { authorizeApprover } from './authorize-approver.ts';
import { attemptEach, isLeftOut, leftOut, splitItems } from './batch.ts';
import type { ApproveDeps } from './deps.ts';
import { makeBatchStatement, makeStatement, statementChallenge } from './make-statement.ts';
import { showFiles } from './show-files.ts';

/** The characters of the patches of one pull request, so that twenty of them are still a small answer. */
const MOST_PATCH_CHARACTERS = 16_000;

/**
 * The statements about these heads, and the WebAuthn request that lets the person sign all of them together with one of
 * their authenticators of this organization. A head that they can't approve now, or approved already, is left out.
 *
 * @param input.orgID The organization that all of them have to be in.
 * @param input.files `soon` lists the first 100 changed files of each, all within two seconds, and orders the items by them.
 * @throws AppError `installationNotFound`, `missingAuthenticator`, `githubUnavailable`; `nothingToApprove` if every
 *   head is left out.
 */
export async function batchOptions(
  deps: ApproveDeps,
  input: { person: Session; orgID: number; targets: ApprovalTarget[]; files?: 'soon' | undefined },
): Promise<BatchParamsAnswer> {
  const { person, orgID, targets } = input;
  const { userId } = person;
  const org = await deps.organizations.byOrgId(orgID);
  if (!org) throw new AppError('installationNotFound');
  const held = await deps.credentials.list(userId, org.id);
  if (held.length === 0) throw await withoutAuthenticator(deps.credentials, userId, org.id);
  const needed = new Set<Assurance['userVerification']>();
  const prepared = await attemptEach(
    targets.map((target) => ({ target })),
    async ({ target }) => {
      const one = await prepareItem(deps, { person, orgID, held, target, files: input.files });
      needed.add(one.userVerification);
      return one;
    },
  );
  const listed = onlyOnce(
    await Promise.all(
      prepared.map(async (one) =>
        isLeftOut(one) ? one : { ...one.item, files: await listFiles(deps, one) },
      ),
    ),
  );
  const items = input.files ? listed.toSorted((one, other) => rankOf(one) - rankOf(other)) : listed;
  const { done: ready, left } = splitItems(items);
  if (ready.length === 0) throw nothingToApprove(left);

  const statements = ready.map(({ statement }) => statement);
  const batch = makeBatchStatement(deps, { person, org, statements });
  const challenge = statementChallenge(batch);
  const subject: BatchSubject = {
    batch,
    items: ready.map(({ statement, target }) => ({ statement, target })),
  };
  const userVerification = needed.has('required') ? 'required' : 'preferred';
  const options = await requestOptions(deps.relyingParty, held, { challenge, userVerification });
  await issueChallenge(deps, { challenge, purpose: 'approve-batch', userId, orgId: orgID, subject });
  return { challenge, options, statement: batch, items };
}

type PreparedItem = {
  item: Omit<BatchItem, 'files'>;
  userVerification: Assurance['userVerification'];
  policy: Policy;
  pull: PullRequest;
  /** GitHub's answer, which may be under way. */
  files: Promise<FileList | null>;
};

/** @throws AppError with each refusal of `authorizeApprover`, `otherOrganization`, `alreadyApproved`, `wouldNotCount`. */
async function prepareItem(
  deps: ApproveDeps,
  input: {
    person: Session;
    orgID: number;
    held: Credential[];
    target: ApprovalTarget;
    files: 'soon' | undefined;
  },
): Promise<PreparedItem> {
  const { person, orgID, held } = input;
  // The organization is compared before the first request to GitHub: the call is counted against this one alone.
  if (input.target.ownerID !== orgID) throw new AppError('otherOrganization');
  let files: Promise<FileList | null> = Promise.resolve(null);
  const authorized = await authorizeApprover(deps, person, input.target, {
    onAdmitted(repository) {
      if (input.files) files = deps.pullChanges.list(repository, input.target.pr, 'first').catch(() => null);
    },
  });
  const { org, repo } = authorized;
  if (org.orgId !== orgID) throw new AppError('otherOrganization');
  deps.recheckRun({ repo, repoId: authorized.pull.repo.id, head: authorized.pull.head });
  const { shown, policy, userVerification } = await showTarget(deps, { person, authorized, held });
  const { pull, story, target, rules, yourApproval, refusal, denials, needs } = shown;
  if (denials.length > 0 && needs) throw new AppError('wouldNotCount', { sentence: needs });
  if (yourApproval) throw new AppError('alreadyApproved');
  if (refusal !== null) throw new AppError('wouldNotCount', { sentence: refusal });
  const statement = makeStatement(deps, { person, org, pull: authorized.pull });
  return {
    item: { statement, pull, story, target, rules },
    userVerification,
    policy,
    pull: authorized.pull,
    files,
  };
}

const listFiles = (deps: ApproveDeps, { pull, files, policy }: PreparedItem) =>
  showFiles(deps, { pull, files }, { list: 'soon', policy, mostPatchCharacters: MOST_PATCH_CHARACTERS });

/** A pull request whose files aren't all listed may have a file with a strong mark. */
function rankOf(item: BatchItem | LeftOut): number {
  if (isLeftOut(item)) return 3;
  if (item.files?.listed.some(({ marks }) => marks.some(({ isStrong }) => isStrong))) return 0;
  return item.files?.isComplete ? 2 : 1;
}

/** Compares GitHub's ids: the same pull request can be sent under two names of its repository. */
function onlyOnce(items: (BatchItem | LeftOut)[]): (BatchItem | LeftOut)[] {
  const seen = new Set<string>();
  return items.map((item) => {
    if (isLeftOut(item)) return item;
    const id = `${item.target.repoID}#${item.target.pr}`;
    if (seen.has(id)) return leftOut(item.target, new AppError('listedTwice'));
    seen.add(id);
    return item;
  });
}

/** The refusal has the reason of the items if all have the same. */
function nothingToApprove(items: LeftOut[]): AppError {
  const [sentence, ...others] = new Set(items.map(({ why }) => why));
  return sentence === undefined || others.length > 0
    ? new AppError('nothingToApprove')
    : new AppError('nothingToApprove', { sentence });
}
