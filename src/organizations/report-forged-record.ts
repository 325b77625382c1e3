import type { Findings } from '../audit/ports.ts';
import { noticesTo } from '../notices/notices-to.ts';
import type { ForgedRecord, Memberships, Organizations } from './ports.ts';

type ForgedRecordDeps = {
  organizations: Pick<Organizations, 'byId' | 'byOrgId'>;
  memberships: Pick<Memberships, 'ownersToNotify'>;
  findings: Findings;
  /** Alerts the operators. Called once for each record in this process. */
  onForgedRecord(forged: ForgedRecord): void;
  /** The record store didn't answer; the next read of the record tries again. */
  onUnreported(error: unknown, forged: ForgedRecord): void;
};

/** Never throws, and doesn't make the reader wait. */
export type ReportForgedRecord = (forged: ForgedRecord) => void;

/** A flood of forged records may fill the memory only this far. */
const MOST_REMEMBERED = 10_000;

/**
 * Reports records that OTP Guard didn't write. The caller doesn't count them.
 * Each one is logged in its organization, and its owners get a notice, once.
 */
export function createReportForgedRecord(deps: ForgedRecordDeps): ReportForgedRecord {
  const reported = new Set<string>();
  // One after the other: thousands of forged records mustn't become thousands of simultaneous requests.
  let last: Promise<void> = Promise.resolve();
  return (forged) => {
    const key = `${forged.collection}:${forged.id}`;
    if (reported.has(key)) return;
    if (reported.size >= MOST_REMEMBERED) reported.clear();
    reported.add(key);
    deps.onForgedRecord(forged);
    last = last
      .then(() => notifyOwners(deps, forged))
      .catch((error: unknown) => {
        reported.delete(key);
        deps.onUnreported(error, forged);
      });
  };
}

async function notifyOwners(deps: ForgedRecordDeps, forged: ForgedRecord): Promise<void> {
  const { recordId, orgId } = forged.org;
  const org = await (recordId === undefined
    ? deps.organizations.byOrgId(orgId ?? 0)
    : deps.organizations.byId(recordId));
  if (!org) return;
  const owners = await deps.memberships.ownersToNotify(org.id);
  const data = { collection: forged.collection, org: org.name };
  await deps.findings.add(`forged:${forged.collection}:${forged.id}`, {
    activity: { activity: 'forgedRecord', userId: '', orgRecordId: org.id, data },
    notices: noticesTo(owners, 'forgedRecord', { org: org.name }),
  });
}
