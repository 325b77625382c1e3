import { type FormEvent, useState } from 'react';
import { Button } from '../../../components/controls.tsx';
import { AreaField, NameField } from '../../../components/field.tsx';
import { Hash } from '../../../components/text.tsx';
import { useClient } from '../../../lib/react/use-client.ts';
import { forFileName, saveFile } from '../../../lib/save-file.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { lastDays, PeriodFields, periodName, readPeriod } from '../download/period-fields.tsx';
import type { Job } from '../download/read-pages.ts';
import { ExportProgress, useExport } from '../download/use-export.tsx';
import { entries } from '../log/log-status.tsx';
import { auditFile, csvFile, exportLog } from './export-log.ts';
import { type ExportedReceipts, exportReceipts, readCommits } from './export-receipts.ts';
import styles from './exports.module.css';

const DAYS = 30;

const NEEDS = {
  audit: { title: 'The log, for an audit', text: 'JSON. Anyone can verify it without trusting this server.' },
  spreadsheet: { title: 'The log, as a spreadsheet', text: 'CSV, to read and sort. It proves nothing.' },
  release: {
    title: 'The receipts of one release',
    text: 'JSON. A signed proof of each approval of its commits.',
  },
} as const;

type Need = keyof typeof NEEDS;

/** Asks what the owner needs, and exports that. */
export function ExportForm({ organization: { name, orgId } }: { organization: Organization }) {
  const { api, session, now } = useClient();
  const [need, setNeed] = useState<Need>('audit');
  const [period, setPeriod] = useState(() => lastDays(DAYS, now()));
  const [repo, setRepo] = useState('');
  const [commits, setCommits] = useState('');
  const [without, setWithout] = useState<ExportedReceipts['without']>([]);
  const { state, run, refuse, cancel } = useExport();
  const deps = { api, accessToken: session.accessToken };
  const repository = repo.trim();

  const save = (what: string, kind: 'json' | 'csv', parts: string[]) => {
    const type = kind === 'json' ? 'application/json' : 'text/csv';
    saveFile({ name: forFileName(`otp-guard-${name}-${what}.${kind}`), type, parts });
  };
  const saveLog = (of: { from?: string; to?: string }) => async (job: Job) => {
    const isAudit = need === 'audit';
    const { parts, count } = await exportLog(
      deps,
      { orgID: orgId, ...of },
      { format: isAudit ? auditFile : csvFile, job },
    );
    if (count === 0) return 'The log has no entries in this period.';
    save(`log-${periodName(period)}`, isAudit ? 'json' : 'csv', parts);
    return `Saved ${entries(count)}.`;
  };
  const saveReceipts = (of: { commits: string[] }) => async (job: Job) => {
    const exported = await exportReceipts(deps, { orgID: orgId, repo: repository, ...of }, job);
    setWithout(exported.without);
    const { parts, count } = exported;
    if (count === 0) return 'There are no receipts to save.';
    save(`${repository}-release-receipts`, 'json', parts);
    return `Saved ${count.toLocaleString('en')} ${count === 1 ? 'receipt' : 'receipts'}.`;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (state.status === 'running') return;
    setWithout([]);
    if (need !== 'release') {
      const read = readPeriod(period);
      return 'problem' in read ? refuse(read.problem) : run(saveLog(read));
    }
    if (!repository) return refuse('Enter the repository of the release.');
    const read = readCommits(commits);
    return 'problem' in read ? refuse(read.problem) : run(saveReceipts(read));
  };
  return (
    <form className={`stack wide-column ${styles.export}`} onSubmit={submit} noValidate>
      <fieldset className="gap-1">
        <legend>What do you need?</legend>
        {Object.entries(NEEDS).map(([name, { title, text }]) => (
          <label key={name}>
            <input type="radio" name="need" checked={name === need} onChange={() => setNeed(name as Need)} />
            <span>
              {title} <span className="quiet">{text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {need === 'release' ? (
        <>
          <NameField
            label="Repository"
            value={repo}
            onChange={({ target }) => setRepo(target.value)}
            maxLength={100}
          />
          <CommitsField value={commits} onChange={setCommits} />
        </>
      ) : (
        <PeriodFields period={period} onChange={setPeriod} />
      )}
      <Button type="submit" busy={state.status === 'running'}>
        Export
      </Button>
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
        ? '1 commit lacks a receipt:'
        : `${commits.length.toLocaleString('en')} commits lack a receipt:`}
    </p>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by the keyboard. */}
    <ul className={`stack gap-1 ${styles.without}`} tabIndex={0} aria-label="Commits that lack a receipt">
      {commits.map(({ commit, why }) => (
        <li key={`${commit} ${why}`}>
          <Hash hash={commit} />: {why}
        </li>
      ))}
    </ul>
  </div>
);
