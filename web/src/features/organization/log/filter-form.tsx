import { type ChangeEvent, type FormEvent, useEffect, useId, useState } from 'react';
import { Field } from '../../../components/field.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { useClient } from '../../../lib/use-client.ts';
import { KIND_NAMES } from './entry-text.ts';
import type { LogFilters } from './filters.ts';
import styles from './log.module.css';
import { suggestLogins } from './read-log.ts';

type Props = {
  /** The organization's record id. */
  org: string;
  filters: LogFilters;
  onChange: (filters: LogFilters) => void;
};

/** The log's filters. A kind applies at once; a typed login applies on Enter or when the field loses focus. */
export function FilterForm({ org, filters, onChange }: Props) {
  const listId = useId();
  const [typed, setTyped] = useState(filters.person);
  // Back, forward and "Clear filters" change the address; the field follows it.
  useEffect(() => setTyped(filters.person), [filters.person]);
  const suggestions = useSuggestions(org, typed.trim());

  const apply = (person: string) => {
    if (person.trim() !== filters.person) onChange({ ...filters, person: person.trim() });
  };
  const type = ({ target: { value }, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    setTyped(value);
    // Browsers report a choice from the datalist as a replacement, or without an input type.
    const { inputType } = nativeEvent as InputEvent;
    const isChoice = (inputType ?? 'insertReplacementText') === 'insertReplacementText';
    if (isChoice && suggestions.includes(value)) apply(value);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply(typed);
  };

  return (
    <form className={styles.filter} onSubmit={submit}>
      <Field
        label="Person"
        value={typed}
        onChange={type}
        onBlur={() => apply(typed)}
        list={listId}
        placeholder="Everyone"
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <datalist id={listId}>
        {suggestions.map((login) => (
          <option key={login} value={login} />
        ))}
      </datalist>
      <SelectField
        label="Kind"
        value={filters.kind}
        onChange={({ target }) => onChange({ ...filters, kind: target.value as LogFilters['kind'] })}
      >
        <option value="">All activity</option>
        {Object.entries(KIND_NAMES).map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </SelectField>
    </form>
  );
}

const TYPING_PAUSE_MS = 200;

/** Logins that contain the typed text, read when typing pauses. Empty on errors: the field works without them. */
function useSuggestions(org: string, typed: string): string[] {
  const { store } = useClient();
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
