import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { forFileName, saveFile } from '../../../lib/save-file.ts';
import { useClient } from '../../../lib/use-client.ts';
import type { Organization } from '../../../lib/user.ts';
import { auditFile, exportLog } from './export-log.ts';
import { ExportProgress } from './export-progress.tsx';
import styles from './exports.module.css';
import { csvFile } from './log-csv.ts';
import { lastDays, periodName, readPeriod } from './period.ts';
import { PeriodFields } from './period-fields.tsx';
import { useExport } from './use-export.ts';

const FORMATS = {
  json: { format: auditFile, type: 'application/json' },
  csv: { format: csvFile, type: 'text/csv' },
} as const;

const DAYS = 30;

/** Exports the log of a period: to audit it, or as a table. */
export function LogExportForm({ organization: { name, orgId } }: { organization: Organization }) {
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
      return `Saved ${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}.`;
    });
  };
  const busy = state.status === 'running';
  return (
    <div className={styles.form}>
      <PeriodFields period={period} onChange={setPeriod} />
      <div className={styles.buttons}>
        <Button look="secondary" busy={busy} onClick={() => start('json')}>
          Export as JSON, to audit it
        </Button>
        <Button look="secondary" busy={busy} onClick={() => start('csv')}>
          Export as CSV, to read it
        </Button>
      </div>
      <ExportProgress state={state} onCancel={cancel} />
    </div>
  );
}
