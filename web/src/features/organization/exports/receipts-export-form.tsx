import { type FormEvent, useState } from 'react';
import { SecondaryButton } from '../../../components/controls.tsx';
import { AreaField, NameField, SelectField } from '../../../components/field.tsx';
import { Hash } from '../../../components/text.tsx';
import { useClient } from '../../../lib/react/use-client.ts';
import { forFileName, saveFile } from '../../../lib/save-file.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { lastDays, PeriodFields, periodName, readPeriod } from '../download/period-fields.tsx';
import { ExportProgress, useExport } from '../download/use-export.tsx';
import { type ExportedReceipts, exportReceipts, readCommits } from './export-receipts.ts';
import styles from './exports.module.css';

const DAYS = 30;

/** Exports the receipts of a period, or of the commits of a release, as one file. */
export function ReceiptsExportForm({ organization: { name, orgId } }: { organization: Organization }) {
  const { api, session, now } = useClient();
  const [of, setOf] = useState<'period' | 'release'>('period');
  const [period, setPeriod] = useState(() => lastDays(DAYS, now()));
  const [repo, setRepo] = useState('');
  const [commits, setCommits] = useState('');
  const [without, setWithout] = useState<ExportedReceipts['without']>([]);
  const { state, run, refuse, cancel } = useExport();
  const repository = repo.trim();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (state.status === 'running') return;
    if (of === 'release' && !repository) return refuse('Enter the repository of the release.');
    const read = of === 'period' ? readPeriod(period) : readCommits(commits);
    if ('problem' in read) return refuse(read.problem);
    setWithout([]);
    run(async (job) => {
      const deps = { api, accessToken: session.accessToken };
      const input = { orgID: orgId, ...read, ...(repository && { repo: repository }) };
      const exported = await exportReceipts(deps, input, job);
      setWithout(exported.without);
      const { parts, count } = exported;
      if (count === 0) return 'There are no receipts to save.';
      const what = [name, repository, of === 'period' ? periodName(period) : 'release']
        .filter(Boolean)
        .join('-');
      saveFile({ name: forFileName(`otp-guard-${what}-receipts.json`), type: 'application/json', parts });
      return `Saved ${count.toLocaleString('en')} ${count === 1 ? 'receipt' : 'receipts'}.`;
    });
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <SelectField
        label="Receipts"
        value={of}
        options={[
          ['period', 'Of a period'],
          ['release', 'Of a release'],
        ]}
        onChoose={setOf}
      />
      {of === 'period' && <PeriodFields period={period} onChange={setPeriod} />}
      <NameField
        label="Repository"
        value={repo}
        onChange={({ target }) => setRepo(target.value)}
        placeholder={of === 'period' ? 'All repositories' : ''}
        maxLength={100}
      />
      {of === 'release' && <CommitsField value={commits} onChange={setCommits} />}
      <p>
        <SecondaryButton type="submit" busy={state.status === 'running'}>
          Export receipts
        </SecondaryButton>
      </p>
      <ExportProgress state={state} onCancel={cancel} />
      {state.status !== 'running' && without.length > 0 && <Without commits={without} />}
    </form>
  );
}

const CommitsField = ({ value, onChange }: { value: string; onChange: (text: string) => void }) => (
  <AreaField
    label="Commits"
    hint={
      <>
        Paste the output of <code>git rev-list v1..v2</code>. Merged commits count for the pull requests that
        they came from.
      </>
    }
    isCode
    rows={6}
    value={value}
    onChange={({ target }) => onChange(target.value)}
  />
);

const Without = ({ commits }: { commits: ExportedReceipts['without'] }) => (
  <div>
    <p>
      {commits.length === 1
        ? '1 commit has no receipt:'
        : `${commits.length.toLocaleString('en')} commits have no receipt:`}
    </p>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by the keyboard. */}
    <ul className={`stack gap-1 ${styles.without}`} tabIndex={0} aria-label="Commits without a receipt">
      {commits.map(({ commit, why }) => (
        <li key={commit}>
          <Hash hash={commit} />: {why}
        </li>
      ))}
    </ul>
  </div>
);
