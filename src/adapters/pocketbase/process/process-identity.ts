import { readFileSync } from 'node:fs';

/** A process id can be reused, so it comes with the time its process started, if the system shows that. */
export type ProcessIdentity = { pid: number; began: string };

export const thisProcess = (): ProcessIdentity => ({ pid: process.pid, began: startTimeOf(process.pid) });

export function isAlive({ pid, began }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return began === startTimeOf(pid);
}

/** Field 22 of `stat` in proc(5), the time the process started. Empty on systems without it. */
function startTimeOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is a name in parentheses, which can contain anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
