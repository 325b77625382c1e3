// Loaded into a process with --import: writes the command line and the environment of every process that it starts, as
// the system shows them, to the file CHILDREN_FILE.
import { ChildProcess } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';

const file = process.env.CHILDREN_FILE;
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (...args) {
  const result = spawn.apply(this, args);
  // By now the system has replaced the child's memory with the new program.
  const read = (name) => readFileSync(`/proc/${this.pid}/${name}`, 'utf8').split('\0').filter(Boolean);
  appendFileSync(file, `${JSON.stringify({ command: read('cmdline'), environment: read('environ') })}\n`);
  return result;
};
