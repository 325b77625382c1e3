import { Button } from '../../../components/button.tsx';
import { useRecordStore } from '../../../lib/record-store.ts';
import { forFileName, saveFile } from '../../../lib/save-file.ts';
import type { Organization } from '../../../lib/user.ts';
import { entriesAsCsv, entriesAsJson, readEveryEntry } from '../exports/export-entries.ts';
import { ExportProgress } from '../exports/export-progress.tsx';
import { useExport } from '../exports/use-export.ts';
import type { LogFilters } from './filters.ts';
import styles from './log.module.css';
import type { LogQuery } from './read-log.ts';

type Props = { organization: Organization; filters: LogFilters; query: LogQuery };

/** Saves every entry that the filters match, also those that the page doesn't show yet. */
export function SaveEntries({ organization, filters, query }: Props) {
  const store = useRecordStore();
  const { state, run, cancel } = useExport();
  const busy = state.status === 'running';
  const save = (kind: 'csv' | 'json') =>
    run(async (job) => {
      const entries = await readEveryEntry(store, query, job);
      const name = forFileName(`otp-guard-${organization.name}-log-entries.${kind}`);
      if (kind === 'csv') saveFile({ name, type: 'text/csv', parts: entriesAsCsv(entries) });
      else {
        const parts = entriesAsJson(entries, { organization: organization.name, filters });
        saveFile({ name, type: 'application/json', parts });
      }
      const count = `${entries.length.toLocaleString('en')} ${entries.length === 1 ? 'entry' : 'entries'}`;
      return `Saved ${count}. This list proves nothing: for an audit, an owner exports the whole log.`;
    });
  return (
    <div className={styles.save}>
      <Button look="secondary" busy={busy} onClick={() => save('csv')}>
        Save as CSV
      </Button>
      <Button look="secondary" busy={busy} onClick={() => save('json')}>
        Save as JSON
      </Button>
      <ExportProgress state={state} onCancel={cancel} />
    </div>
  );
}
