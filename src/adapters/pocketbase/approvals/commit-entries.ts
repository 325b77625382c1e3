import type { BatchService } from 'pocketbase';
import { recordIdOf } from '../records/record-id.ts';

/** Adds a log entry to those of a pull request's commit. */
export function linkToCommit(
  batch: BatchService,
  { repoId, pr, head, org }: { repoId: number; pr: number; head: string; org: string },
  entryId: string,
): void {
  batch.collection('gh_commits').upsert({
    id: recordIdOf(`commit:${repoId}:${pr}:${head}`),
    repo_id: repoId,
    commit: head,
    pr,
    org,
    'activity_ids+': entryId,
  });
}
