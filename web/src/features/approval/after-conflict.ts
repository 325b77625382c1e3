import type { Config } from '../../lib/config.ts';
import { readLivePull } from '../../lib/live-pull.ts';
import type { ApprovalTarget } from './approval-target.ts';

type AfterConflict = { kind: 'back-to-pull' | 'reload' } | { kind: 'new-head'; head: string };

/** The head changed, maybe more than once or back again, so this reads which one it is now. */
export async function afterConflict(
  { config, accessToken }: { config: Config; accessToken: () => string },
  target: ApprovalTarget,
): Promise<AfterConflict> {
  const live = await readLivePull(config, accessToken(), target);
  if (!live?.open) return { kind: 'back-to-pull' };
  return live.head === target.head ? { kind: 'reload' } : { kind: 'new-head', head: live.head };
}
