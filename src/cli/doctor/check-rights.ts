import { type Found, note, ok, problem } from './finding.ts';

/** A file or folder that only our user should use; `mode` is null if it doesn't exist. `isSecret`: what can be read there is secret itself. */
export type Guarded = { path: string; mode: number | null; isSecret: boolean };

const [GROUP_READS, OTHERS_READ, SOMEBODY_WRITES] = [0o040, 0o004, 0o022];

/** Whether somebody else on the machine can read or change `.env`, the keys or the data. */
export async function checkRights(deps: { list(): Promise<Guarded[]> }): Promise<Found[]> {
  const all = (await deps.list()).filter((one): one is Guarded & { mode: number } => one.mode !== null);
  const found = all.map(faultOf).filter((one) => one !== null);
  if (found.length > 0) return found;
  if (all.length === 0) return [ok('There is neither .env nor data yet.')];
  return [ok(`Only their owner can use ${all.map(({ path }) => path).join(', ')}.`)];
}

function faultOf({ path, mode, isSecret }: Guarded & { mode: number }): Found | null {
  const advice = `Run chmod go= '${path}'.`;
  if (mode & SOMEBODY_WRITES) return problem(`Others on this machine can change ${path}. ${advice}`);
  if (mode & OTHERS_READ && isSecret) return problem(`Everybody on this machine can read ${path}. ${advice}`);
  if (mode & OTHERS_READ) return note(`Everybody on this machine can list ${path}. ${advice}`);
  return mode & GROUP_READS
    ? note(`The group of ${path} can read it. If nobody needs that: ${advice}`)
    : null;
}
