import type { ListedFile } from './approvals.ts';

/** What the `files` of a statement is the SHA-256 of, over its RFC 8785 form. */
export const signedFiles = (files: Pick<ListedFile, 'path' | 'status' | 'sha'>[]) =>
  files.map(({ path, status, sha }) => [path, status, sha]);
