import { createHash } from 'node:crypto';
import { isBot } from './bots.ts';
import type { EmulatorClient } from './emulator-client.ts';
import type { Account, ChangedFile, Pull } from './github-objects.ts';
import { readComparison } from './pages/changed-files.ts';

/** All changes of a pull request: GitHub counts all of them, and lists a part. */
export type PullContents = { files: ChangedFile[]; commits: object[]; commitCount: number };

/** The people of a made-up commit by their logins; null for one whom GitHub links to no account. */
export type MadeUpCommit = { author?: string | null; committer?: string | null; verified?: boolean };
/** Without a `patch`, GitHub shows no text of the file: it's binary, or too long. */
export type MadeUpFile = {
  filename: string;
  previous_filename?: string;
  status?: ChangedFile['status'];
  patch?: string;
};
export type MadeUp = { files?: MadeUpFile[]; commits?: MadeUpCommit[] };

const DATE = '2026-05-04T09:00:00Z';
/** GitHub's own account, which commits what people change on its pages. */
const WEB_FLOW = { login: 'web-flow', id: 19864447, node_id: 'MDQ6VXNlcjE5ODY0NDQ3', type: 'User' };
const UNSIGNED = { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null };
const SIGNED = { verified: true, reason: 'valid', signature: 's', payload: 'p', verified_at: DATE };

const hashOf = (text: string) => createHash('sha1').update(text).digest('hex');

/** The changes between the pull request's commits. The emulator makes up its own answer. */
export async function readContents(emulator: EmulatorClient, pull: Pull): Promise<PullContents | undefined> {
  const range = `${pull.base.sha}...${pull.head.sha}`;
  const compared = await readComparison(emulator, pull.base.repo.full_name, range);
  return compared && { ...compared, commitCount: compared.total_commits };
}

export function makeUpFile(
  { head, base }: Pull,
  { origin }: { origin: string },
  file: MadeUpFile,
): ChangedFile & Record<string, unknown> {
  const { filename, previous_filename, patch } = file;
  const status = file.status ?? (previous_filename === undefined ? 'modified' : 'renamed');
  // A removed file is shown as it was before.
  const ref = status === 'removed' ? base.sha : head.sha;
  const path = filename.split('/').map(encodeURIComponent).join('/');
  const name = base.repo.full_name;
  const countOf = (sign: string) => (patch ?? '').split('\n').filter((line) => line.startsWith(sign)).length;
  const [additions, deletions] = [countOf('+'), countOf('-')];
  return {
    sha: hashOf(filename),
    filename,
    status,
    additions,
    deletions,
    changes: additions + deletions,
    blob_url: `${origin}/${name}/blob/${ref}/${path}`,
    raw_url: `${origin}/${name}/raw/${ref}/${path}`,
    contents_url: `${origin}/repos/${name}/contents/${path}?ref=${ref}`,
    ...(patch !== undefined && { patch }),
    ...(previous_filename !== undefined && { previous_filename }),
  };
}

/** Made-up commits, the last of which is the head. */
export function makeUpCommits(
  pull: Pull,
  { origin, accounts }: { origin: string; accounts: Map<string, Account> },
  commits: MadeUpCommit[],
): object[] {
  const { head, base } = pull;
  const shas = commits.map((_commit, at) =>
    at === commits.length - 1 ? head.sha : hashOf(`${head.sha}:${at}`),
  );
  const accountOf = (login: string | null | undefined) => (login ? (accounts.get(login) ?? null) : null);
  return commits.map(({ author, committer = author, verified = false }, at) => {
    const sha = shas[at] ?? head.sha;
    const api = `${origin}/repos/${base.repo.full_name}`;
    const person = { name: 'Somebody', email: 'somebody@example.org', date: DATE };
    const tree = hashOf(`tree:${sha}`);
    return {
      sha,
      node_id: sha,
      url: `${api}/commits/${sha}`,
      html_url: `${origin}/${base.repo.full_name}/commit/${sha}`,
      comments_url: `${api}/commits/${sha}/comments`,
      commit: {
        url: `${api}/git/commits/${sha}`,
        author: person,
        committer: person,
        message: `Commit ${at + 1}`,
        tree: { sha: tree, url: `${api}/git/trees/${tree}` },
        comment_count: 0,
        verification: verified ? SIGNED : UNSIGNED,
      },
      author: accountOf(author),
      committer: accountOf(committer),
      parents: [parentOf(shas[at - 1] ?? base.sha, origin, base.repo.full_name)],
    };
  });
}

const parentOf = (sha: string, origin: string, name: string) => ({
  sha,
  url: `${origin}/repos/${name}/commits/${sha}`,
  html_url: `${origin}/${name}/commit/${sha}`,
});

/** The accounts with these logins. GitHub has accounts for bots that the emulator doesn't know. */
export async function readAccounts(
  { emulator, origin }: { emulator: EmulatorClient; origin: string },
  logins: Iterable<string>,
): Promise<Map<string, Account>> {
  const found = new Map<string, Account>();
  for (const login of new Set(logins)) {
    const known = await emulator.get<Account>(`/users/${encodeURIComponent(login)}`);
    const account = known ?? makeUpAccount(login);
    if (account)
      found.set(login, { avatar_url: `${origin}/avatars/u/0`, site_admin: false, ...account } as Account);
  }
  return found;
}

function makeUpAccount(login: string): Account | undefined {
  if (login === WEB_FLOW.login) return WEB_FLOW;
  if (!isBot({ login })) return undefined;
  const id = Number.parseInt(hashOf(login).slice(0, 7), 16);
  return { login, id, node_id: `BOT_${id}`, type: 'Bot' } as Account;
}
