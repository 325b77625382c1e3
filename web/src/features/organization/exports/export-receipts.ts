import type { ReceiptsExport } from '../../../../../src/contract/receipts.ts';
import type { Poster } from '../../../lib/api/api-client.ts';
import { type Job, readPages } from '../download/read-pages.ts';

/** The server takes at most this many commits in a request. */
const MOST_AT_ONCE = 100;
/** More is no release: the log of a period has no such limit. */
const MOST_COMMITS = 5000;

type Deps = { api: Poster; accessToken: () => string };
type Input = { orgID: number; repo: string; commits: string[] };

export type ExportedReceipts = { parts: string[]; count: number; without: ReceiptsExport['without'] };

/**
 * Reads the receipts of commits, and writes them to one file. Rejects with an `ApiError`.
 *
 * @returns The parts of the file, and the commits that have no receipt, with the reason.
 */
export async function exportReceipts(
  { api, accessToken }: Deps,
  { commits, ...input }: Input,
  job: Job,
): Promise<ExportedReceipts> {
  const receipts: string[] = [];
  const without: ReceiptsExport['without'] = [];
  for (const batch of inBatches(commits)) {
    const read = (after?: string) =>
      api.post(
        '/receipts-export',
        { ...input, commits: batch, ...(after && { after }), accessToken: accessToken() },
        job.signal,
      );
    for await (const page of readPages<ReceiptsExport>(job, read)) {
      for (const receipt of page.receipts) receipts.push(JSON.stringify(receipt));
      without.push(...page.without);
      job.onProgress(`Exported ${receipts.length.toLocaleString('en')} receipts.`);
    }
  }
  const parts = receipts.map((receipt, at) => (at === 0 ? receipt : `,\n${receipt}`));
  return { parts: ['{"receipts":[\n', ...parts, '\n]}\n'], count: receipts.length, without };
}

const inBatches = (commits: string[]): string[][] =>
  Array.from({ length: Math.ceil(commits.length / MOST_AT_ONCE) }, (_, at) =>
    commits.slice(at * MOST_AT_ONCE, (at + 1) * MOST_AT_ONCE),
  );

/** Reads pasted hashes, one a line: the output of `git rev-list`, or of `git log` if a line begins with the full hash. */
export function readCommits(text: string): { commits: string[] } | { problem: string } {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const words = lines.map((line) => line.split(/\s/)[0]?.toLowerCase() ?? '');
  const wrong = words.find((word) => !/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(word));
  if (wrong !== undefined) return { problem: `“${wrong.slice(0, 60)}” isn't a full commit hash.` };
  const commits = [...new Set(words)];
  if (commits.length === 0) return { problem: 'Paste the commits of the release, one full hash a line.' };
  if (commits.length > MOST_COMMITS) {
    return {
      problem: `That's more than ${MOST_COMMITS.toLocaleString('en')} commits. Export the log of a period instead.`,
    };
  }
  return { commits };
}
