import type { Scratch } from './scratch.ts';

/** Not the name that rules require: a success of that one must only come from an approval. */
export const TRIED_CHECK = 'OTP Guard acceptance';

type State =
  | { status: 'in_progress' }
  | { status: 'completed'; conclusion: 'success' | 'failure' | 'cancelled' };

export const PENDING: State = { status: 'in_progress' };
export const completed = (conclusion: 'success' | 'failure' | 'cancelled'): State => ({
  status: 'completed',
  conclusion,
});

const DETAILS = 'https://example.com/otp-guard-acceptance';
const OUTPUT = { title: 'Trying what OTP Guard assumes', summary: 'Means nothing, and can be ignored.' };

/** Creates a run as the App. @returns Its id. */
export async function createRun(
  scratch: Scratch,
  head: string,
  state: State,
  name = TRIED_CHECK,
): Promise<number> {
  const { installation, at, signal } = scratch;
  signal.throwIfAborted();
  const more = { details_url: DETAILS, output: OUTPUT, request: { retries: 0 } };
  const { data } = await installation.rest.checks.create({
    ...at,
    name,
    head_sha: head,
    ...(state as { status: 'in_progress' }),
    ...more,
  });
  return data.id;
}

export async function updateRun({ installation, at, signal }: Scratch, id: number, state: State) {
  signal.throwIfAborted();
  const { data } = await installation.rest.checks.update({ ...at, check_run_id: id, ...state });
  return data;
}

export async function readRun({ installation, at }: Scratch, id: number) {
  const { data } = await installation.rest.checks.get({ ...at, check_run_id: id });
  return data;
}
