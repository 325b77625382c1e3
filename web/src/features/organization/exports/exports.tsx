import type { LogStatus } from '../../../../../src/contract/receipts.ts';
import { Button } from '../../../components/button.tsx';
import { forFileName, saveFile } from '../../../lib/save-file.ts';
import type { Organization } from '../../../lib/user.ts';
import { Section } from '../section.tsx';
import styles from './exports.module.css';
import { LogExportForm } from './log-export-form.tsx';
import { ReceiptsExportForm } from './receipts-export-form.tsx';

type Props = {
  organization: Organization;
  /** Null if it isn't known. */
  status: LogStatus | null;
};

/** What an owner takes along: the log, receipts, and a checkpoint. */
export default function Exports({ organization, status }: Props) {
  return (
    <div className={styles.exports}>
      <Section title="The log of a period">
        <LogExportForm organization={organization} />
      </Section>
      <Section title="Receipts of a period or a release">
        <ReceiptsExportForm organization={organization} />
      </Section>
      {status?.checkpoint && (
        <Section title="Checkpoint">
          <p>
            A checkpoint is a signed summary of the whole log, which now has {entries(status.size)}. Keep one
            outside of this server: if the log is rewritten later, an export of it contradicts your
            checkpoint.
          </p>
          <p>
            <Button look="secondary" onClick={() => saveCheckpoint(organization.name, status)}>
              Download checkpoint
            </Button>
          </p>
        </Section>
      )}
    </div>
  );
}

const entries = (size: number) => (size === 1 ? '1 entry' : `${size.toLocaleString('en')} entries`);

function saveCheckpoint(organization: string, { checkpoint, size }: LogStatus): void {
  const name = forFileName(`otp-guard-${organization}-checkpoint-${size}.txt`);
  saveFile({ name, type: 'text/plain', parts: [checkpoint ?? ''] });
}
