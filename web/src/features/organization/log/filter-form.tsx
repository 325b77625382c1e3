import { type FormEvent, useEffect, useId, useState } from 'react';
import { Field, NameField, SelectField } from '../../../components/field.tsx';
import { useRecordStore } from '../../../lib/record-store.ts';
import { useTyped } from '../../../lib/use-typed.ts';
import { KIND_NAMES } from './entry-text.ts';
import { LONGEST_NAME, type LogFilters } from './filters.ts';
import styles from './log.module.css';
import { suggestLogins } from './read-log.ts';

type Props = {
  /** The organization's record id. */
  org: string;
  filters: LogFilters;
  /** Names to suggest. */
  repositories: string[];
  /** `isTyping` as for `useTyped`. */
  onChange: (filters: LogFilters, isTyping: boolean) => void;
};

/** The log's filters. Each applies at once, or as soon as typing pauses. */
export function FilterForm({ org, filters, repositories, onChange }: Props) {
  const person = useTyped(filters.person, (value, isTyping) =>
    onChange({ ...filters, person: value }, isTyping),
  );
  const repository = useTyped(filters.repository, (value, isTyping) =>
    onChange({ ...filters, repository: value }, isTyping),
  );
  const logins = useSuggestions(org, person.typed.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    person.settle();
    repository.settle();
  };
  return (
    <form className={styles.filter} onSubmit={submit} aria-label="Filters of the log">
      <SearchField label="Person" placeholder="Everyone" {...person.input} suggestions={logins} />
      <SelectField
        label="Kind"
        value={filters.kind}
        options={[['', 'All activity'], ...Object.entries(KIND_NAMES)]}
        onChoose={(kind) => onChange({ ...filters, kind }, false)}
      />
      <SearchField
        label="Repository"
        placeholder="All repositories"
        {...repository.input}
        suggestions={repositories}
      />
      <Field
        label="From"
        type="date"
        value={filters.from}
        onChange={({ target }) => onChange({ ...filters, from: target.value }, false)}
      />
      <Field
        label="To"
        type="date"
        value={filters.to}
        onChange={({ target }) => onChange({ ...filters, to: target.value }, false)}
      />
    </form>
  );
}

type SearchProps = ReturnType<typeof useTyped>['input'] & {
  label: string;
  placeholder: string;
  suggestions: string[];
};

function SearchField({ suggestions, ...input }: SearchProps) {
  const id = useId();
  return (
    <>
      <NameField {...input} list={id} maxLength={LONGEST_NAME} />
      <datalist id={id}>
        {suggestions.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

const TYPING_PAUSE_MS = 200;

/** Logins that contain the typed text, read when typing pauses. Empty on errors: the field works without them. */
function useSuggestions(org: string, typed: string): string[] {
  const store = useRecordStore();
  const [logins, setLogins] = useState<string[]>([]);

  useEffect(() => {
    let isStale = false;
    const timer = window.setTimeout(async () => {
      const found = typed ? await suggestLogins(store, org, typed).catch(() => []) : [];
      if (!isStale) setLogins(found);
    }, TYPING_PAUSE_MS);
    return () => {
      isStale = true;
      window.clearTimeout(timer);
    };
  }, [store, org, typed]);

  return logins;
}
