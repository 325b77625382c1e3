import { useState } from 'react';
import type { LogStatus } from '../../../../../src/contract/receipts.ts';
import { Card } from '../../../components/card.tsx';
import { SecondaryButton } from '../../../components/controls.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { useAnswer } from '../../../lib/react/queries.ts';
import { useClient } from '../../../lib/react/use-client.ts';
import { forFileName, saveFile } from '../../../lib/save-file.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { lastDays, PeriodFields, periodName, readPeriod } from '../download/period-fields.tsx';
import { ExportProgress, useExport } from '../download/use-export.tsx';
import { entries } from '../log/log-status.tsx';
import { organizationPage } from '../organization-page.tsx';
import { PageLinks } from '../page-links.tsx';
import { Section } from '../section.tsx';
import { auditFile, csvFile, exportLog } from './export-log.ts';
import { ReceiptsExportForm } from './receipts-export-form.tsx';

const TITLE = 'Exports';
const LOG = { text: 'Activity Log', to: '/org/log' };

/** `/org/exports`: the files with which an owner proves approvals later: the log, receipts, and a checkpoint. */
export const ExportsPage = organizationPage(TITLE, Exports);

function Exports({ organization }: { organization: Organization }) {
  const { loaded, reload } = useAnswer('/organization-log', { orgID: organization.orgId });
  if (organization.role !== 'admin') {
    return (
      <Card title={TITLE} wide>
        <p>
          Only owners can export the log and receipts. You can export the entries that you see in the log.
        </p>
        <PageLinks links={[LOG]} />
      </Card>
    );
  }
  return (
    <Card title={TITLE} wide>
      <p>
        Anyone can verify these files without trusting this server. To save entries only to read them, use the
        activity log, where you can filter them.
      </p>
      <PageLinks links={[LOG, { text: 'Verify a receipt or an export', to: '/verify' }]} />
      <Section title="The whole log of a period">
        <LogExportForm organization={organization} />
      </Section>
      <Section title="Receipts of a period or a release">
        <ReceiptsExportForm organization={organization} />
      </Section>
      {loaded.status === 'ok' && <Checkpoint organization={organization} status={loaded.value} />}
      {loaded.status === 'failed' && (
        <Section title="Checkpoint">
          {loadFailure(loaded, reload, "We couldn't load the checkpoint.")}
        </Section>
      )}
    </Card>
  );
}

function Checkpoint({ organization, status }: { organization: Organization; status: LogStatus }) {
  if (!status.checkpoint) return null;
  return (
    <Section title="Checkpoint">
      <p>
        A checkpoint is a signed summary of the whole log, which now has {entries(status.size)}. Keep one
        outside of this server: if the log is rewritten later, an export of it contradicts your checkpoint.
      </p>
      <p>
        <SecondaryButton onClick={() => saveCheckpoint(organization.name, status)}>
          Download checkpoint
        </SecondaryButton>
      </p>
    </Section>
  );
}

function saveCheckpoint(organization: string, { checkpoint, size }: LogStatus): void {
  const name = forFileName(`otp-guard-${organization}-checkpoint-${size}.txt`);
  saveFile({ name, type: 'text/plain', parts: [checkpoint ?? ''] });
}

const FORMATS = {
  json: { format: auditFile, type: 'application/json' },
  csv: { format: csvFile, type: 'text/csv' },
} as const;

const DAYS = 30;

/** Exports the log of a period: to audit it, or as a table. */
function LogExportForm({ organization: { name, orgId } }: { organization: Organization }) {
  const { api, session, now } = useClient();
  const [period, setPeriod] = useState(() => lastDays(DAYS, now()));
  const { state, run, refuse, cancel } = useExport();

  const start = (kind: keyof typeof FORMATS) => {
    const read = readPeriod(period);
    if ('problem' in read) return refuse(read.problem);
    const { format, type } = FORMATS[kind];
    run(async (job) => {
      const deps = { api, accessToken: session.accessToken };
      const { parts, count } = await exportLog(deps, { orgID: orgId, ...read }, { format, job });
      if (count === 0) return 'The log has no entries in this period.';
      saveFile({ name: forFileName(`otp-guard-${name}-log-${periodName(period)}.${kind}`), type, parts });
      return `Saved ${entries(count)}.`;
    });
  };
  const busy = state.status === 'running';
  return (
    <div className="stack">
      <PeriodFields period={period} onChange={setPeriod} />
      <div className="buttons">
        <SecondaryButton busy={busy} onClick={() => start('json')}>
          Export for audit (JSON)
        </SecondaryButton>
        <SecondaryButton busy={busy} onClick={() => start('csv')}>
          Export CSV
        </SecondaryButton>
      </div>
      <ExportProgress state={state} onCancel={cancel} />
    </div>
  );
}
