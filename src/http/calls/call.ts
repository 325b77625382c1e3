import type { z } from 'zod';
import type { ApproveDeps } from '../../approvals/approve/deps.ts';
import type { DescribeDeps } from '../../approvals/approve/describe-head.ts';
import type { MatchPatternsDeps } from '../../approvals/policy/match-patterns.ts';
import type { PreviewDeps } from '../../approvals/policy/preview-policies.ts';
import type { SetPolicyDeps } from '../../approvals/policy/set-policy.ts';
import type { WithdrawDeps } from '../../approvals/withdraw/withdraw-approval.ts';
import type { AcknowledgeDeps } from '../../authenticators/acknowledge.ts';
import type { CountDeps } from '../../authenticators/count-authenticators.ts';
import type { EndMemberSessionsDeps } from '../../authenticators/end-member-sessions.ts';
import type { RemovalDeps } from '../../authenticators/remove-authenticator.ts';
import type { ApprovalTarget } from '../../contract/approvals.ts';
import type { AnswerOf, BodyOf, CallPath } from '../../contract/calls.ts';
import type { InboxDeps } from '../../inbox/deps.ts';
import type { OutgoingWebhookDeps } from '../../outgoing-webhooks/set-outgoing-webhook.ts';
import type { Person, Session, Sessions } from '../../people/ports.ts';
import { requirePerson, type TokenChecks } from '../../people/session.ts';
import type { HealthDeps } from '../../protection/organization-health.ts';
import type { LogExportDeps } from '../../receipts/export-log.ts';
import type { ReceiptsExportDeps } from '../../receipts/export-receipts.ts';
import type { HeadReceiptsDeps } from '../../receipts/head-receipts.ts';
import type { LogStatusDeps } from '../../receipts/log-status.ts';
import { AppError } from '../../shared/app-error.ts';
import type { Queues } from '../../shared/queues.ts';
import type { BudgetName, CallCost, LimitDeps } from '../limits.ts';

/** The dependencies of all use cases that calls run, and of the limits of calls. */
export type CallDeps = LimitDeps &
  HealthDeps &
  SetPolicyDeps &
  MatchPatternsDeps &
  PreviewDeps &
  CountDeps &
  RemovalDeps &
  EndMemberSessionsDeps &
  AcknowledgeDeps &
  ApproveDeps &
  DescribeDeps &
  WithdrawDeps &
  HeadReceiptsDeps &
  ReceiptsExportDeps &
  LogExportDeps &
  LogStatusDeps &
  InboxDeps &
  OutgoingWebhookDeps & {
    sessions: Sessions;
    checkToken: TokenChecks;
    headTurns: Pick<Queues<string>, 'yieldTo'>;
  };

/** One product call: its path, what it may cost, and what it does for a session. */
export type Call<Path extends CallPath = CallPath> = {
  path: Path;
  /** Null if no budget may refuse it. */
  budget: BudgetName | null;
  /** @throws AppError `malformed` if the body doesn't match the call's schema. */
  prepare(body: unknown): Omit<CallCost, 'storedTargets'> & {
    /** Reads more pull requests that we stored, once the call is counted for its session. */
    storedTargets(deps: CallDeps, session: Session): Promise<ApprovalTarget[]>;
    /** Does the call's work. Its answer is sent as text if it's a string, anything else as JSON. */
    run(deps: CallDeps, session: Session): Promise<unknown>;
  };
};

/** A schema of what the list of calls says that a client sends. */
type Schema<Path extends CallPath> = z.ZodType<object, BodyOf<Path>>;
/** One of a body that can hold the person's GitHub token. */
type WithToken<Path extends CallPath> = z.ZodType<{ accessToken?: string | undefined }, BodyOf<Path>>;

/** A use case gets the fields of the body and who calls. If it has nothing to answer, the client gets "ok". */
type Work<Path extends CallPath, Input> = (
  deps: CallDeps,
  input: Input,
) => Promise<AnswerOf<Path> extends 'ok' ? void : AnswerOf<Path>>;

/** The cost of a call, in addition to the pull requests that its body names. */
type Counting<Body> = {
  storedTargets?: (deps: CallDeps, session: Session, body: Body) => Promise<ApprovalTarget[]>;
  costOf?: (body: Body) => ReturnType<CallCost['cost']>;
};

/** The organization, by GitHub's id, and the pull requests that a call is about, as its body says. */
type About<Body> = (body: Body) => { orgID?: number | undefined; targets?: ApprovalTarget[] };

export const aboutNothing = () => ({});
export const aboutOrg = ({ orgID }: { orgID?: number | undefined }) => ({ orgID });
export const aboutPull = (target: ApprovalTarget) => ({ orgID: target.ownerID, targets: [target] });

/** A call of everybody with a session. */
export function forSession<Path extends CallPath, S extends Schema<Path>>(
  path: Path,
  budget: BudgetName | null,
  about: About<z.infer<S>>,
  schema: S,
  work: Work<Path, z.infer<S> & { session: Session }>,
): Call<Path> {
  return call(path, budget, about, schema, (deps, session, body) => work(deps, { ...body, session }));
}

/** A call of a person whose GitHub token proves again who they are. */
export function forPerson<Path extends CallPath, S extends WithToken<Path>>(
  path: Path,
  budget: BudgetName,
  about: About<z.infer<S>>,
  schema: S,
  work: Work<Path, Omit<z.infer<S>, 'accessToken'> & { person: Person }>,
  counting?: Counting<z.infer<S>>,
): Call<Path> {
  const run = async (deps: CallDeps, session: Session, { accessToken, ...body }: z.infer<S>) =>
    work(deps, { ...body, person: await requirePerson(deps.checkToken, session, accessToken) });
  return call(path, budget, about, schema, run, counting);
}

/** A call that needs no GitHub token. A token that is sent has to be the session's own person's. */
export function forReader<Path extends CallPath, S extends WithToken<Path>>(
  path: Path,
  budget: BudgetName,
  about: About<z.infer<S>>,
  schema: S,
  work: Work<Path, Omit<z.infer<S>, 'accessToken'> & { session: Session }>,
  counting?: Counting<z.infer<S>>,
): Call<Path> {
  const run = async (deps: CallDeps, session: Session, { accessToken, ...body }: z.infer<S>) => {
    const caller = accessToken ? await requirePerson(deps.checkToken, session, accessToken) : session;
    return work(deps, { ...body, session: caller });
  };
  return call(path, budget, about, schema, run, counting);
}

function call<Path extends CallPath, S extends z.ZodType>(
  path: Path,
  budget: BudgetName | null,
  about: About<z.infer<S>>,
  schema: S,
  run: (deps: CallDeps, session: Session, body: z.infer<S>) => Promise<unknown>,
  { storedTargets = async () => [], costOf = () => ({ requests: 1, work: 1 }) }: Counting<z.infer<S>> = {},
): Call<Path> {
  return {
    path,
    budget,
    prepare(sent) {
      const body = parseBody(schema, sent);
      const { orgID, targets = [] } = about(body);
      return {
        orgID,
        targets,
        cost: () => costOf(body),
        storedTargets: (deps, session) => storedTargets(deps, session, body),
        run: (deps, session) => run(deps, session, body),
      };
    },
  };
}

/** Replaces zod's own messages, which are for developers. */
const NO_SENTENCE = '';

/**
 * Parses the body of a call.
 *
 * @throws AppError `malformed`, with the schema's sentence for the first wrong field that has one.
 */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const parsed = schema.safeParse(body ?? {}, { error: () => NO_SENTENCE });
  if (parsed.success) return parsed.data;
  const sentence = parsed.error.issues.map(({ message }) => message).find((text) => text !== NO_SENTENCE);
  throw new AppError('malformed', sentence === undefined ? {} : { sentence });
}
