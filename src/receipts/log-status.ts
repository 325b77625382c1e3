import type { LogChecks, LogReader } from '../audit/ports.ts';
import type { LogStatus } from '../contract/receipts.ts';
import { type RoleDeps, requireMember } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { AppError } from '../shared/app-error.ts';

/**
 * Tells members whether the organization's log is as this server wrote it.
 *
 * @throws AppError with each refusal of `requireMember`.
 */
export async function logStatus(
  deps: RoleDeps & { auditLog: Pick<LogReader, 'newest'>; logChecks: LogChecks },
  { session, orgID }: { session: Session; orgID: number },
): Promise<LogStatus> {
  const org = await requireMember(deps, session, orgID);
  const found = () => {
    const { checked, changed } = deps.logChecks.of(org.id);
    return { checked: checked && { to: checked.to, at: checked.at.toISOString() }, changed };
  };
  try {
    const newest = await deps.auditLog.newest(org.id);
    if (newest) await deps.logChecks.catchUp(org, newest.size);
    const at = newest?.at.toISOString() ?? null;
    return { size: newest?.size ?? 0, checkpoint: newest?.note ?? null, at, ...found() };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'logChanged') throw error;
    const { checked, changed } = found();
    return { size: 0, checkpoint: null, at: null, checked, changed: changed ?? 0 };
  }
}
