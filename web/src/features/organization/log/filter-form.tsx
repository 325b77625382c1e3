import { type ChangeEvent, type FormEvent, useEffect, useId, useState } from 'react';
import { Choice } from '../../../components/choice.tsx';
import { Field } from '../../../components/field.tsx';
import styles from './log.module.css';
import type { LogFilter } from './log-filter.ts';
import { KIND_NAMES } from './sentence.ts';
import { useSuggestions } from './use-suggestions.ts';

type Props = {
  /** The organization's record id. */
  org: string;
  filter: LogFilter;
  onChange: (filter: LogFilter) => void;
};

/** Whose entries and of which kind. A choice counts at once; a typed name with Enter, or when the field is left. */
export function FilterForm({ org, filter, onChange }: Props) {
  const list = useId();
  const [typed, setTyped] = useState(filter.person);
  // Back, forward and Clear change the address; the field follows it.
  useEffect(() => setTyped(filter.person), [filter.person]);
  const suggestions = useSuggestions(org, typed.trim());

  const take = (person: string) => {
    if (person.trim() !== filter.person) onChange({ ...filter, person: person.trim() });
  };
  const type = ({ target: { value }, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    setTyped(value);
    // Choosing from the list is no typing: browsers say so, or say nothing.
    const { inputType } = nativeEvent as InputEvent;
    const chosen = (inputType ?? 'insertReplacementText') === 'insertReplacementText';
    if (chosen && suggestions.includes(value)) take(value);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    take(typed);
  };

  return (
    <form className={styles.filter} onSubmit={submit}>
      <Field
        label="Person"
        value={typed}
        onChange={type}
        onBlur={() => take(typed)}
        list={list}
        placeholder="Everybody"
        maxLength={100}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <datalist id={list}>
        {suggestions.map((login) => (
          <option key={login} value={login} />
        ))}
      </datalist>
      <Choice
        label="Kind"
        value={filter.kind}
        onChange={({ target }) => onChange({ ...filter, kind: target.value as LogFilter['kind'] })}
      >
        <option value="">Everything</option>
        {Object.entries(KIND_NAMES).map(([kind, name]) => (
          <option key={kind} value={kind}>
            {name}
          </option>
        ))}
      </Choice>
    </form>
  );
}
