import { z } from 'zod';
import { receiptStatement } from '../contract/receipts.ts';
import { type AuditOptions, auditExport } from '../proofs/audit-export.ts';
import { findCheckpoints } from '../proofs/checkpoint.ts';
import { parseEnvelope } from '../proofs/dsse.ts';
import { type Finding, toVerification } from '../proofs/findings.ts';
import { readGitHubUrls } from '../settings/github-config.ts';
import { createSettingReader } from '../settings/setting-reader.ts';
import { printFindings } from './print.ts';
import { orUnchecked, readJson, readText } from './read-file.ts';
import { issuerOfExport, type KeyOptions, readKeyList, withoutKeys } from './read-key-list.ts';
import { UsageError } from './usage-error.ts';

type Options = KeyOptions & { github?: string; checkpoint?: string[]; json?: boolean };
/** The token is never an argument: other users of the machine can read those. */
type GitHubEnv = Record<string, string | undefined>;
type Witnesses = { checkpoints: AuditOptions['checkpoints']; findings: Finding[] };

const LARGEST_EXPORT = 1024 * 2 ** 20;
const LARGEST_KEPT = 4 * 2 ** 20;

/**
 * `otp-guard audit`: prints whether a log is as it was.
 *
 * @returns Whether it is.
 * @throws UncheckedError if what was given isn't enough to tell; UnreadableError if it's no export.
 */
export async function audit(files: string[], options: Options, env: GitHubEnv): Promise<boolean> {
  const keyList = await readKeyList(options);
  const exports: unknown[] = [];
  for (const file of files) exports.push(await readJson(file, LARGEST_EXPORT));
  if (!keyList) throw withoutKeys(files.join(' '), issuerOfExport(exports[0]));
  const kept = (await Promise.all((options.checkpoint ?? []).map(readKept))).flat();
  const github = await readGitHub({ exports, app: keyList.app }, options.github, env);
  const checkpoints = [...kept, ...github.checkpoints];
  const found = await auditExport(exports, { keyList, checkpoints });
  const all = { ...found, ...toVerification([...found.findings, ...github.findings]) };
  printFindings(all, options);
  return all.valid;
}

/** A text without a checkpoint counts as unsigned, so that it isn't ignored silently. */
async function readKept(path: string): Promise<Witnesses['checkpoints']> {
  const text = await orUnchecked(readText(path, LARGEST_KEPT));
  const found = findKeptCheckpoints(text);
  return (found.length === 0 ? [text] : found).map((checkpoint) => ({ checkpoint, from: path }));
}

async function readGitHub(
  { exports, app }: { exports: unknown[]; app: number | undefined },
  repository: string | undefined,
  env: GitHubEnv,
): Promise<Witnesses> {
  if (repository === undefined) return { checkpoints: [], findings: [] };
  const [owner = '', repo = '', ...rest] = repository.split('/');
  if (!/^[\w.-]+$/.test(owner) || !/^[\w.-]+$/.test(repo) || rest.length > 0)
    throw new UsageError('Give --github as owner/repository.');
  const settings = createSettingReader(env);
  const { apiUrl } = readGitHubUrls(settings);
  if (settings.faults.length > 0) throw new UsageError(settings.faults.join('\n'));
  const commits = readLoggedCommits(exports, repo);
  // Octokit takes longer to load than everything else.
  const { readGitHubCheckpoints } = await import('./github-checkpoints.ts');
  return orUnchecked(readGitHubCheckpoints({ owner, repo, token: env.GITHUB_TOKEN, apiUrl, app }, commits));
}

/**
 * The checkpoints in a file that a person kept: an e-mail, a check run's summary, or a receipt. Nothing is verified.
 */
function findKeptCheckpoints(text: string): string[] {
  const ofReceipt = checkpointOfReceipt(text);
  return ofReceipt === null ? findCheckpoints(text) : [ofReceipt];
}

/** Null if it isn't a receipt, or one from before the log began. */
function checkpointOfReceipt(text: string): string | null {
  try {
    const payload = parseEnvelope(JSON.parse(text))?.payload;
    const { data } = receiptStatement.safeParse(JSON.parse(new TextDecoder().decode(payload)));
    return data?.predicate.log?.checkpoint ?? null;
  } catch {
    return null;
  }
}

const fullSha = /^([0-9a-f]{40}|[0-9a-f]{64})$/;
const entriesSchema = z.looseObject({
  entries: z.array(z.looseObject({ event: z.unknown() })),
});
const namesCommit = z.looseObject({
  data: z.looseObject({ sha: z.string().regex(fullSha), repo: z.string() }),
});

/** The commits of a repository that the entries of exported logs name, each once. Nothing is verified. */
export function readLoggedCommits(exports: unknown[], repo: string): string[] {
  const entries = exports.flatMap((one) => entriesSchema.safeParse(one).data?.entries ?? []);
  const commits = entries.flatMap(({ event }) => namesCommit.safeParse(event).data?.data ?? []);
  return [...new Set(commits.filter((one) => isSameName(one.repo, repo)).map(({ sha }) => sha))];
}

/** GitHub's names ignore case. */
const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
