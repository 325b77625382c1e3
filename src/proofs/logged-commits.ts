import { z } from 'zod';

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
