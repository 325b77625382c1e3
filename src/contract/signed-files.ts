import type { ListedFile } from './approvals.ts';

/**
 * The list behind the `files` of a statement, which is the SHA-256 over its RFC 8785 form. A renamed file has its
 * previous path, too: there, a file is gone.
 */
export const signedFiles = (files: Pick<ListedFile, 'path' | 'previousPath' | 'status' | 'sha'>[]) =>
  files.map(({ path, previousPath, status, sha }) =>
    previousPath === null ? [path, status, sha] : [path, status, sha, previousPath],
  );
