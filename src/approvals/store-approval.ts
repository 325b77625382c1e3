import type { NewActivity } from '../audit/ports.ts';
import { accountOf } from '../audit/subjects.ts';
import { loggedCredential, proofSha256 } from '../authenticators/logged-credential.ts';
import type { Credential } from '../authenticators/ports.ts';
import type { VerifiedAssertion } from '../authenticators/verify-assertion.ts';
import type { ApprovalAnswer } from '../contract/approvals.ts';
import { authenticatorKinds } from '../contract/authenticator-kinds.ts';
import type { LoggedVerdict, LogPerson } from '../contract/log-entry.ts';
import { pullUrl } from '../links.ts';
import type { Person } from '../people/ports.ts';
import type { AuthorizedTarget } from './authorize-approver.ts';
import type { AuthorizedStatement } from './authorize-statement.ts';
import type { Verdict } from './judge.ts';
import { needsOf } from './needs-of.ts';
import type { AddedApproval, CheckRunRecord, HeadRef, KeyProof, NewApproval } from './ports.ts';
import type { Snapshot } from './read-head.ts';
import type { StoredHead } from './read-known.ts';
import { type SyncDeps, type SyncOptions, syncCheckRun } from './sync-check-run.ts';
import { COMPLETING, isWaiting } from './write-check-run.ts';

/** A success must not be judged by what GitHub said long ago, so a wait for the record store ends a reading's use. */
const OLDEST_SNAPSHOT_MS = 5_000;

/** The answer if the check couldn't be judged after the approval was stored. */
const NOT_JUDGED = "OTP Guard can't tell yet what else the check needs.";

export type StoreApprovalDeps = SyncDeps & {
  /** Called if the approval is stored and GitHub can't be updated yet, or not be looked at again. */
  onDelay(error: unknown): void;
  /** Called with the sync, which goes on after the answer. A process that ends finishes it. */
  onUnfinished(work: Promise<unknown>): void;
};

/** An approval that was verified. */
export type VerifiedApproval = Pick<
  NewApproval,
  'method' | 'authenticator' | 'userVerified' | 'aaguid' | 'modelVerified' | 'statement' | 'proof'
> & {
  person: Person;
  /** The target; with the head's run, if that was read before the pull requests. */
  authorized: AuthorizedTarget | AuthorizedStatement;
  /** The authenticator's label, for the activity log. */
  label: string;
  /** The credential that signed it; null for a one-time code. */
  key: Pick<Credential, 'keyId' | 'publicKey'> | null;
  /** What OTP Guard decided with it. */
  verdict: LoggedVerdict | null;
  /** What the store had about the head, if that was read after its run. */
  stored?: StoredHead;
};

/** What a verified assertion says about an approval, with what proves that. */
export const byKey = (
  { credential, userVerified }: VerifiedAssertion,
  signed: Omit<KeyProof, 'publicKey'>,
): Omit<VerifiedApproval, 'person' | 'authorized' | 'verdict' | 'statement'> => ({
  method: credential.type,
  authenticator: credential.id,
  label: credential.label,
  key: credential,
  userVerified,
  aaguid: credential.aaguid,
  modelVerified: credential.modelVerified,
  proof: { ...signed, publicKey: credential.publicKey },
});

/**
 * Stores an approval of the authorized head, then updates GitHub. An outage
 * between the two delays the green check and loses nothing. The answer comes as
 * soon as GitHub shows the verdict. Looking again after that write is still part
 * of the sync: until it's over, the approval counts as unreported, so a process
 * that dies leaves it to the scheduler.
 */
export async function storeApproval(
  deps: StoreApprovalDeps,
  verified: VerifiedApproval,
): Promise<ApprovalAnswer> {
  const { repo, pull } = verified.authorized;
  const completing = toCompleting(verified);
  const added = await deps.approvals.add(toNewApproval(verified), toActivity(verified), completing);
  const at = { repo, repoId: pull.repo.id, head: pull.head };
  const snapshot = snapshotOf(verified, { added, completing, now: deps.clock.now() });
  const shown = await showVerdict(deps, at, { snapshot, pr: pull.number });
  return { redirect: pullUrl(deps.origins, pull), ...shown };
}

/** What was read before the approval was stored. If storing it took long, the head is judged by what GitHub says now. */
function snapshotOf(
  { authorized, stored: before }: VerifiedApproval,
  { added, completing, now }: { added: AddedApproval | null; completing: CheckRunRecord | null; now: Date },
): Snapshot | undefined {
  const { openPulls: pulls } = authorized;
  if (!('run' in authorized)) return { pulls };
  const { run, readFrom } = authorized;
  if (now.getTime() - readFrom.getTime() > OLDEST_SNAPSHOT_MS) return undefined;
  // One like it may have been stored after the records were read.
  if (!added || !before) return { pulls, run, readFrom };
  const { approval, checkpoint } = added;
  const stored = { ...before, given: [...before.given, approval] };
  return { pulls, run: completing ?? run, readFrom, stored, checkpoint };
}

/** The head's run as it is about to be completed by this approval; null if it has to wait for more. */
function toCompleting({ authorized, verdict, stored }: VerifiedApproval): CheckRunRecord | null {
  const { openPulls, pull } = authorized;
  const isOnly = openPulls.every(({ number, head }) => number === pull.number || head !== pull.head);
  if (!('run' in authorized) || !stored || !verdict?.passed || !isOnly) return null;
  return isWaiting(authorized.run) ? { ...authorized.run, state: COMPLETING } : null;
}

/** Resolves once GitHub shows the verdict, or if it can't be updated now: then with the verdict that it would show. */
function showVerdict(
  deps: StoreApprovalDeps,
  at: HeadRef,
  { snapshot, pr }: { snapshot: Snapshot | undefined; pr: number },
): Promise<Omit<ApprovalAnswer, 'redirect'>> {
  return new Promise((resolve) => {
    let judged: Verdict | null = null;
    const answer = (reported: boolean) =>
      resolve({
        reported,
        passed: judged?.passed ?? false,
        needs: judged ? needsOf(judged, pr) : NOT_JUDGED,
      });
    const options: SyncOptions = {
      onJudged: (verdict) => {
        judged = verdict;
      },
      onShown: () => answer(true),
    };
    const sync = syncCheckRun(deps, at, snapshot, options).then(
      (verdict) => {
        judged = verdict;
        answer(true);
      },
      (error: unknown) => {
        // Not rethrown: the approval is stored, and must not look refused.
        deps.onDelay(error);
        answer(false);
      },
    );
    deps.onUnfinished(sync);
  });
}

function toNewApproval({
  person,
  authorized: { org, repo, pull, fromOutside },
  method,
  authenticator,
  userVerified,
  aaguid,
  modelVerified,
  statement,
  proof,
}: VerifiedApproval): NewApproval {
  return {
    repo: { ...repo, id: pull.repo.id },
    pr: pull.number,
    base: pull.base,
    head: pull.head,
    org: { id: org.orgId, recordId: org.id, login: org.name },
    user: { id: person.githubId, recordId: person.userId, login: person.login },
    method,
    authenticator,
    userVerified,
    aaguid,
    modelVerified,
    fromOutside,
    opened: pull.createdAt,
    statement,
    proof,
  };
}

function toActivity(verified: VerifiedApproval): NewActivity {
  const { person, authorized, method, label, userVerified, aaguid, modelVerified } = verified;
  const { userId, login } = person;
  const { org, pull } = authorized;
  const { number: pr, head: sha, base, repo } = pull;
  return {
    activity: authenticatorKinds[method].approved,
    userId,
    orgRecordId: org.id,
    data: { type: method, label, login, user: login, sha, pr, base, repo: repo.name, org: org.name },
    facts: { repoId: repo.id, userVerified, aaguid, modelVerified },
    personFacts: toPersonFacts(verified),
  };
}

function toPersonFacts({ person, key, statement, proof, verdict }: VerifiedApproval): LogPerson['facts'] {
  return {
    by: accountOf(person),
    holder: accountOf(person),
    ...(key && { credential: loggedCredential(key) }),
    proofSha256: proofSha256({ statement, assertion: null, publicKey: null, ...proof }),
    ...(verdict && { verdict }),
  };
}
