import type { z } from 'zod';
import { type ApprovalTarget, approvalTarget } from '../../contract/approvals.ts';
import type { Person, Session, Sessions } from '../../people/ports.ts';
import { requirePerson, type TokenChecks } from '../../people/session.ts';
import { AppError } from '../../shared/app-error.ts';
import type { BudgetName, CallCost } from '../limits.ts';

/** The dependencies that tell who calls. */
export type CallerDeps = { sessions: Sessions; checkToken: TokenChecks };

/** One product call: its path, what it may cost, and what it does for a session. */
export type Call<Deps> = {
  path: string;
  /** Null if no budget may refuse it. */
  budget: BudgetName | null;
  /** @throws AppError `malformed` if the body doesn't match the call's schema. */
  prepare(body: unknown): Omit<CallCost, 'storedTargets'> & {
    /** Reads more pull requests that we stored, once the call is counted for its session. */
    storedTargets(deps: Deps, session: Session): Promise<ApprovalTarget[]>;
    /** Does the call's work. Its answer is sent as text if it's a string, anything else as JSON. */
    run(deps: Deps, session: Session): Promise<unknown>;
  };
};

/** A schema of a body that can hold the person's GitHub token. */
type WithToken = z.ZodType<{ accessToken?: string | undefined }>;

type Work<Deps, Input> = (deps: Deps, input: Input) => Promise<unknown>;

/** The cost of a call, in addition to the pull requests that its body names. */
type Counting<Deps, Body> = {
  storedTargets?: (deps: Deps, session: Session, body: Body) => Promise<ApprovalTarget[]>;
  costOf?: (body: Body) => ReturnType<CallCost['cost']>;
};

/**
 * Makes the calls of a room, whose use cases need these dependencies. A use case gets the fields of the body and who
 * calls. If it answers nothing, the client gets "ok".
 */
export function callsWith<RoomDeps>() {
  type Deps = RoomDeps & CallerDeps;

  /** A call of everybody with a session. */
  function forSession<S extends z.ZodType<object>>(
    path: string,
    budget: BudgetName | null,
    schema: S,
    work: Work<Deps, z.infer<S> & { session: Session }>,
  ): Call<Deps> {
    return call(path, budget, schema, (deps, session, body) => work(deps, { ...body, session }));
  }

  /** A call of a person whose GitHub token proves again who they are. */
  function forPerson<S extends WithToken>(
    path: string,
    budget: BudgetName,
    schema: S,
    work: Work<Deps, Omit<z.infer<S>, 'accessToken'> & { person: Person }>,
    counting?: Counting<Deps, z.infer<S>>,
  ): Call<Deps> {
    const run = async (deps: Deps, session: Session, { accessToken, ...body }: z.infer<S>) =>
      work(deps, { ...body, person: await requirePerson(deps.checkToken, session, accessToken) });
    return call(path, budget, schema, run, counting);
  }

  /** A call that needs no GitHub token. A token that is sent has to be the session's own person's. */
  function forReader<S extends WithToken>(
    path: string,
    budget: BudgetName,
    schema: S,
    work: Work<Deps, Omit<z.infer<S>, 'accessToken'> & { session: Session }>,
    counting?: Counting<Deps, z.infer<S>>,
  ): Call<Deps> {
    const run = async (deps: Deps, session: Session, { accessToken, ...body }: z.infer<S>) => {
      const caller = accessToken ? await requirePerson(deps.checkToken, session, accessToken) : session;
      return work(deps, { ...body, session: caller });
    };
    return call(path, budget, schema, run, counting);
  }

  return { forSession, forPerson, forReader };
}

function call<Deps, S extends z.ZodType>(
  path: string,
  budget: BudgetName | null,
  schema: S,
  run: (deps: Deps, session: Session, body: z.infer<S>) => Promise<unknown>,
  {
    storedTargets = async () => [],
    costOf = () => ({ requests: 1, work: 1 }),
  }: Counting<Deps, z.infer<S>> = {},
): Call<Deps> {
  return {
    path,
    budget,
    prepare(sent) {
      const body = parseBody(schema, sent);
      return {
        orgID: orgIn(body),
        targets: targetsIn(body),
        cost: () => costOf(body),
        storedTargets: (deps, session) => storedTargets(deps, session, body),
        run: (deps, session) => run(deps, session, body),
      };
    },
  };
}

/** The contract names an organization `orgID`, or `ownerID` of a pull request; some bodies hold it in `params`. */
function orgIn(body: unknown): number | undefined {
  const { orgID, ownerID, params } = (body ?? {}) as { orgID?: number; ownerID?: number; params?: unknown };
  return orgID ?? ownerID ?? (params ? orgIn(params) : undefined);
}

/** A body is a target itself, holds one in `params`, or several in `items`. */
function targetsIn(body: unknown): ApprovalTarget[] {
  const { items, params } = (body ?? {}) as { items?: unknown; params?: unknown };
  const all = Array.isArray(items) ? items : [params ?? body];
  return all.flatMap((one) => approvalTarget.safeParse(one).data ?? []);
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
