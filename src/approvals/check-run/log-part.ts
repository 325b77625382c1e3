import type { Checkpoint, LogReader } from '../../audit/ports.ts';
import type { CheckRunContent, HeadRef, SyncTarget } from '../ports.ts';
import { LONGEST } from './markdown.ts';

export type CheckpointDeps = {
  checkpoints: Pick<LogReader, 'newestOf'>;
  /** The log's end can't be read, or isn't what OTP Guard signed. The run goes out without a checkpoint. */
  onNoCheckpoint(error: unknown, at: SyncTarget): void;
};

/**
 * The content with the newest checkpoint of the organization's log, if it completes a run. GitHub keeps it, where
 * we can't change it later. Never rejects: the verdict that people wait for doesn't depend on the log.
 */
export async function withLogPart(
  deps: CheckpointDeps,
  { repo, head }: HeadRef,
  content: CheckRunContent,
): Promise<CheckRunContent> {
  if (content.status !== 'completed') return content;
  try {
    const checkpoint = await deps.checkpoints.newestOf(repo.installation);
    const log = checkpoint ? logPart(checkpoint) : '';
    const fits = log !== '' && Buffer.byteLength(log) <= LONGEST.log;
    return fits ? { ...content, log } : content;
  } catch (error) {
    deps.onNoCheckpoint(error, { repository: `${repo.owner}/${repo.name}`, head });
    return content;
  }
}

/** The checkpoint is a signed note of ours, which has no backquotes and ends with a newline. */
export function logPart({ size, note }: Pick<Checkpoint, 'size' | 'note'>): string {
  const entries = size === 1 ? '1 entry' : `${size.toLocaleString('en-US')} entries`;
  return `Log: ${entries}. This signed checkpoint covers all of them; \`otp-guard audit\` compares the log with it.\n\n\`\`\`\n${note}\`\`\``;
}
