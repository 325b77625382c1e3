import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProduct } from './product.ts';
import { PROGRAM } from './program.ts';

type Person = { name: string; email: string; date: string };
type Hash = { sha: string };
type Commit = { tree: Hash; parents: Hash[]; author: Person; committer: Person; message: string };

const BLOCKS = readFileSync('docs/receipts/walk-through.md', 'utf8').matchAll(
  /^```(?:sh|bash|console)\n(.*?)^```$(?:\n\n```\n(.*?)^```$)?/gms,
);
/** The first block sets the variables that the commands of the others use. */
const [SETTINGS, ...STEPS] = [...BLOCKS].map(([, commands = '', shown = '']) => ({ commands, shown }));

/** An output without the values that differ each time, and with each count as a plural. */
const shapeOf = (text: string) =>
  text
    .replace(/[0-9a-f]{7,}|\S*\d\S*|mona|hubot/g, '#')
    .replace('checkpoint from elsewhere matches (', 'checkpoints from elsewhere match, the largest (')
    .replace('# commit.', '# commits.');
const identity = ({ name, email, date }: Person) =>
  `${name} <${email}> ${Math.floor(Date.parse(date) / 1000)} +0000`;

/** An auditor's clone of the repository, in a folder in which the commands of docs/receipts/walk-through.md are run. */
export function createWalk(product: TestProduct, folder: string, variables: Record<string, string>) {
  const { origin, facts } = product.github;
  const PATH = `${folder}:${process.env.PATH}`;
  const env = { PATH, HOME: folder, GITHUB_API_URL: origin, GITHUB_TOKEN: facts.adminToken };
  const git = (line: string, input = '') =>
    execFileSync('git', line.split(' '), { cwd: folder, env, input, encoding: 'utf8' }).trim();
  const write = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

  /** Writes a commit of the local GitHub, whose hashes are real ones, and all before it. */
  async function copy(sha: string): Promise<void> {
    const commit = await product.asAdmin<Commit>('GET', `/repos/octo-org/hello/git/commits/${sha}`);
    const parents = commit.parents.map((parent) => `parent ${parent.sha}\n`).join('');
    const people = `author ${identity(commit.author)}\ncommitter ${identity(commit.committer)}`;
    const text = `tree ${commit.tree.sha}\n${parents}${people}\n\n${commit.message}\n`;
    const written = git('hash-object -t commit -w --stdin', text);
    if (written !== sha) throw new Error(`commit ${sha} was copied as ${written}`);
    for (const parent of commit.parents) await copy(parent.sha);
  }

  /** Runs the commands that contain this text, exactly as they're documented, with what they're said to print. */
  async function run(text: string) {
    const names = [...(SETTINGS?.commands ?? '').matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
    const steps = STEPS.filter(({ commands }) => commands.includes(text));
    const settings = names.map((name) => `${name}='${variables[name]}'\n`);
    const script = [...settings, ...steps.map(({ commands }) => commands)].join('');
    const args = ['--norc', '-euo', 'pipefail', '-c', script];
    const [code, out] = await new Promise<[number, string]>((done) => {
      execFile('bash', args, { cwd: folder, env }, (error, stdout, stderr) =>
        done([error ? Number(error.code) : 0, stdout + stderr]),
      );
    });
    return { code, out, shape: shapeOf(out), documented: shapeOf(steps.map(({ shown }) => shown).join('')) };
  }

  git('init --quiet --initial-branch=main');
  git('remote add origin .');
  const program = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  writeFileSync(join(folder, 'otp-guard'), program, { mode: 0o700 });
  return { git, write, copy, run };
}
