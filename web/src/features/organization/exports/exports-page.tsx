import type { LogStatus } from '../../../../../src/contract/receipts.ts';
import { Card } from '../../../components/card.tsx';
import { SecondaryButton } from '../../../components/controls.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { useAnswer } from '../../../lib/react/queries.ts';
import { forFileName, saveFile } from '../../../lib/save-file.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { entries } from '../log/log-status.tsx';
import { organizationPage } from '../organization-page.tsx';
import { PageLinks } from '../page-links.tsx';
import { Section } from '../section.tsx';
import { ExportForm } from './export-form.tsx';

const TITLE = 'Exports';
const LOG = { text: 'Activity log', to: '/org/log' };

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
      <ExportForm organization={organization} />
      <PageLinks links={[LOG, { text: 'Verify a receipt or an export', to: '/verify' }]} />
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
