import type { Findings, LogReader } from '../audit/ports.ts';
import { noticesTo } from '../notices/notices-to.ts';
import type { Memberships, Organization, Organizations } from './ports.ts';

type LogRestoreDeps = {
  findings: Findings;
  organizations: Pick<Organizations, 'all'>;
  auditLog: Pick<LogReader, 'newest'>;
  memberships: Pick<Memberships, 'ownersToNotify'>;
  /** The entry of this organization couldn't be stored. */
  onUnlogged(error: unknown, org: Organization): void;
};

/**
 * Logs in each organization that has a log that the records are those of a backup, and notifies its owners: what was
 * logged since isn't in the log any more. Calling it again for the same restore changes nothing. If one organization's
 * entry can't be stored, the others still get theirs.
 *
 * @param backupAt When the backup was made, as far as its records show it.
 */
export async function logRestore(deps: LogRestoreDeps, backupAt: Date | null): Promise<void> {
  for (const org of await deps.organizations.all()) {
    try {
      if (!(await deps.auditLog.newest(org.id))) continue;
      const owners = await deps.memberships.ownersToNotify(org.id);
      const backup = backupAt?.toISOString();
      const data = { org: org.name, ...(backup && { backup }) };
      await deps.findings.add(`restore:${org.id}:${backup ?? ''}`, {
        activity: { activity: 'restore', userId: '', orgRecordId: org.id, data },
        notices: noticesTo(owners, 'restore', data),
      });
    } catch (error) {
      deps.onUnlogged(error, org);
    }
  }
}
