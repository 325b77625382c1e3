import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export type RunningProcess = { pid: number; ppid: number; command: string };

/** All processes of this machine. */
export function listProcesses(): RunningProcess[] {
  if (existsSync('/proc/self/cmdline')) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(readProcess);
  }
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => {
    const [, pid, ppid, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), ppid: Number(ppid), command }];
  });
}

/** Empty if the process ended in the meantime. */
function readProcess(pid: string): RunningProcess[] {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    // The second field is the name in brackets, which may contain anything; the parent is the second one after it.
    const [, ppid] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return [{ pid: Number(pid), ppid: Number(ppid), command }];
  } catch {
    return [];
  }
}

/** Ids of the other processes whose command line contains `text`. */
export function processesOf(text: string): number[] {
  return listProcesses()
    .filter(({ pid, command }) => command.includes(text) && pid !== process.pid)
    .map(({ pid }) => pid);
}
