import { LOG_WORDS } from '../../../../../src/contract/events/log-text.ts';
import { Field, SelectField } from '../../../components/field.tsx';
import { useLoaded } from '../../../lib/react/queries.ts';
import { useRecordStore } from '../../../lib/react/record-store.ts';
import { ListControls, SearchFilter } from '../list/list-controls.tsx';
import type { LogFilters } from './filters.ts';
import { suggestLogins } from './read-log.ts';

type Props = {
  /** The organization's record id. */
  org: string;
  filters: LogFilters;
  apply: (part: Partial<LogFilters>) => void;
  /** Names to suggest. */
  repositories: string[];
};

/** The log's filters. Each applies immediately, or as soon as typing pauses. */
export function LogControls({
  org,
  filters: { person, kind, repository, from, to },
  apply,
  repositories,
}: Props) {
  return (
    <ListControls>
      <SearchFilter
        label="Person"
        placeholder="Everyone"
        value={person}
        onApply={(person) => apply({ person })}
        suggestions={useSuggestions(org, person)}
      />
      <SelectField
        label="Kind"
        value={kind}
        options={[
          ['', 'All activity'],
          ...Object.entries(LOG_WORDS).map(([kind, { name }]) => [kind, name] as const),
        ]}
        onChoose={(kind) => apply({ kind })}
      />
      <SearchFilter
        label="Repository"
        placeholder="All repositories"
        value={repository}
        onApply={(repository) => apply({ repository })}
        suggestions={repositories}
      />
      <Field label="From" type="date" value={from} onChange={({ target }) => apply({ from: target.value })} />
      <Field label="To" type="date" value={to} onChange={({ target }) => apply({ to: target.value })} />
    </ListControls>
  );
}

const NO_LOGINS: string[] = [];

/** Logins that contain the typed text. Empty on errors: the field works without them. */
function useSuggestions(org: string, typed: string): string[] {
  const store = useRecordStore();
  const { loaded } = useLoaded(['logins', org, typed], async () =>
    typed ? await suggestLogins(store, org, typed).catch(() => NO_LOGINS) : NO_LOGINS,
  );
  return loaded.status === 'ok' ? loaded.value : NO_LOGINS;
}
