import type { ListedFile } from './approvals.ts';

/** The list behind the `files` of a statement, which is the SHA-256 over its RFC 8785 form. */
export const signedFiles = (files: Pick<ListedFile, 'path' | 'status' | 'sha'>[]) =>
  files.map(({ path, status, sha }) => [path, status, sha]);
