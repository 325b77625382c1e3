import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { z } from 'zod';
import type { Proof } from '../../approvals/approve/prove.ts';
import type { ApprovalTarget } from '../../contract/approvals.ts';
import type { AnswerOf, BodyOf, CallPath } from '../../contract/calls.ts';
import type { Person, Session } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import type { BudgetName, CallCost } from '../limits.ts';

/** Who makes a call. */
export type Caller = {
  session: Session;
  /**
   * Asks GitHub whose token this is.
   *
   * @throws AppError `notAuthorizedWithGitHub` unless it's the session's own person's.
   */
  prove(accessToken: string | undefined): Promise<Person>;
};

/** One product call: its path, what it may cost, and what it does for a caller. */
export type Call = {
  path: CallPath;
  /** Null if no budget may refuse it. */
  budget: BudgetName | null;
  /** Set if work on webhooks slows down while a person waits for the answer. */
  delaysWebhooks?: true;
  /** @throws AppError `malformed` if the body doesn't match the call's schema. */
  prepare(body: unknown): Omit<CallCost, 'storedTargets'> & {
    /** Reads more pull requests that we stored, once the call is counted for its session. */
    storedTargets(session: Session): Promise<ApprovalTarget[]>;
    /** Does the call's work. Its answer is sent as text if it's a string, anything else as JSON. */
    run(caller: Caller): Promise<unknown>;
  };
};

/** A call that still lacks what its room's use cases need. */
export type RoomCall<Deps> = (deps: Deps) => Call;

/** The calls of a room, as a function of what its use cases need. */
export const callsOf =
  <Deps>(calls: RoomCall<Deps>[], how: Pick<Call, 'delaysWebhooks'> = {}) =>
  (deps: Deps): Call[] =>
    calls.map((call) => ({ ...call(deps), ...how }));

/** A schema of what the list of calls says that a client sends. */
type Schema<Path extends CallPath> = z.ZodType<object, BodyOf<Path>>;
/** One of a body that can hold the person's GitHub token. */
type WithToken<Path extends CallPath> = z.ZodType<{ accessToken?: string | undefined }, BodyOf<Path>>;

/** A use case that has nothing to answer is answered for with "ok". */
type Answer<Path extends CallPath> = Promise<AnswerOf<Path> extends 'ok' ? void : AnswerOf<Path>>;

/** A use case gets the fields of the body and who calls. */
type Work<Deps, Path extends CallPath, Input> = (deps: Deps, input: Input) => Answer<Path>;

/** The cost of a call, in addition to the pull requests that its body names. */
type Counting<Deps, Body> = {
  storedTargets?: (deps: Deps, session: Session, body: Body) => Promise<ApprovalTarget[]>;
  costOf?: (body: Body) => ReturnType<CallCost['cost']>;
};

/** The organization, by GitHub's id, and the pull requests that a call is about, as its body says. */
type About<Body> = (body: Body) => { orgID?: number | undefined; targets?: ApprovalTarget[] };

/** The schemas of bodies with a proof have checked that it's one of the two. */
export const proofIn = (body: { authResponse?: object | undefined; otp?: string | undefined }): Proof =>
  body.otp === undefined ? { response: assertionIn(body) } : { code: body.otp };

/** The schema has checked it. */
export const assertionIn = (body: { authResponse?: object | undefined }) =>
  body.authResponse as AuthenticationResponseJSON;

export const aboutNothing = () => ({});
export const aboutOrg = ({ orgID }: { orgID?: number | undefined }) => ({ orgID });
export const aboutPull = (target: ApprovalTarget) => ({ orgID: target.ownerID, targets: [target] });

/** A call of everybody with a session. */
export function forSession<Deps, Path extends CallPath, S extends Schema<Path>>(
  path: Path,
  budget: BudgetName | null,
  about: About<z.infer<S>>,
  schema: S,
  work: (deps: Deps, input: z.infer<S> & { session: Session }, prove: Caller['prove']) => Answer<Path>,
): RoomCall<Deps> {
  return call(path, budget, about, schema, (deps: Deps, { session, prove }, body) =>
    work(deps, { ...body, session }, prove),
  );
}

/** A call of a person whose GitHub token proves again who they are. */
export function forPerson<Deps, Path extends CallPath, S extends WithToken<Path>>(
  path: Path,
  budget: BudgetName,
  about: About<z.infer<S>>,
  schema: S,
  work: Work<Deps, Path, Omit<z.infer<S>, 'accessToken'> & { person: Person }>,
  counting?: Counting<Deps, z.infer<S>>,
): RoomCall<Deps> {
  const run = async (deps: Deps, { prove }: Caller, { accessToken, ...body }: z.infer<S>) =>
    work(deps, { ...body, person: await prove(accessToken) });
  return call(path, budget, about, schema, run, counting);
}

/** A call that needs no GitHub token. A token that is sent has to be the session's own person's. */
export function forReader<Deps, Path extends CallPath, S extends WithToken<Path>>(
  path: Path,
  budget: BudgetName,
  about: About<z.infer<S>>,
  schema: S,
  work: Work<Deps, Path, Omit<z.infer<S>, 'accessToken'> & { session: Session }>,
  counting?: Counting<Deps, z.infer<S>>,
): RoomCall<Deps> {
  const run = async (deps: Deps, { session, prove }: Caller, { accessToken, ...body }: z.infer<S>) =>
    work(deps, { ...body, session: accessToken ? await prove(accessToken) : session });
  return call(path, budget, about, schema, run, counting);
}

function call<Deps, S extends z.ZodType>(
  path: CallPath,
  budget: BudgetName | null,
  about: About<z.infer<S>>,
  schema: S,
  run: (deps: Deps, caller: Caller, body: z.infer<S>) => Promise<unknown>,
  {
    storedTargets = async () => [],
    costOf = () => ({ requests: 1, work: 1 }),
  }: Counting<Deps, z.infer<S>> = {},
): RoomCall<Deps> {
  return (deps) => ({
    path,
    budget,
    prepare(sent) {
      const body = parseBody(schema, sent);
      const { orgID, targets = [] } = about(body);
      return {
        orgID,
        targets,
        cost: () => costOf(body),
        storedTargets: (session) => storedTargets(deps, session, body),
        run: (caller) => run(deps, caller, body),
      };
    },
  });
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
