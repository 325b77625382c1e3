import { useLayoutEffect, useRef, useState } from 'react';
import type { Rule } from '../../../../../src/contract/policy.ts';
import { SecondaryButton } from '../../../components/controls.tsx';
import type { Organization } from '../../../lib/session/user.ts';
import { Section } from '../section.tsx';
import { newRule } from './draft.ts';
import styles from './policy.module.css';
import { DEFAULT_TEXT } from './policy-texts.ts';
import { RuleWords } from './policy-words.tsx';
import { RuleFields } from './rule-fields.tsx';

const MOST_RULES = 100;

type Props = { organization: Organization; rules: Rule[]; onChange: (rules: Rule[]) => void };

/** The rules: add, change, move and remove them. */
export function RuleList({ organization, rules, onChange }: Props) {
  // Names change while they're typed, so each rule has a key of its own.
  const [keys, setKeys] = useState(() => rules.map((_, index) => index));
  const [opened, setOpened] = useState<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const [moved, setMoved] = useState<{ key: number | null } | null>(null);
  // A button that was pressed may be gone or disabled, and the focus with it.
  useLayoutEffect(() => {
    if (moved)
      (list.current?.querySelector<HTMLElement>(`[data-rule="${moved.key}"]`) ?? list.current)?.focus();
  }, [moved]);
  const save = (next: { key: number; rule: Rule }[]) => {
    setKeys(next.map(({ key }) => key));
    onChange(next.map(({ rule }) => rule));
  };
  const items = rules.map((rule, at) => ({ key: keys[at] ?? at, rule }));
  const move = (at: number, by: number) => {
    const next = [...items];
    next.splice(at + by, 0, ...next.splice(at, 1));
    save(next);
    setMoved({ key: next[at + by]?.key ?? null });
  };
  const remove = (key: number) => {
    save(items.filter((item) => item.key !== key));
    setMoved({ key: null });
  };
  const add = () => {
    const key = Math.max(-1, ...keys) + 1;
    setOpened(key);
    save([...items, { key, rule: newRule(rules.map(({ name }) => name)) }]);
  };
  return (
    <Section title="Rules">
      <p className="quiet">{DEFAULT_TEXT}</p>
      <ol ref={list} tabIndex={-1}>
        {items.map(({ key, rule }, at) => (
          <RuleItem
            key={key}
            id={key}
            organization={organization}
            rule={rule}
            isOpen={key === opened}
            onChange={(changed) =>
              save(items.map((item) => (item.key === key ? { key, rule: changed } : item)))
            }
            onRemove={() => remove(key)}
            onMoveUp={at > 0 ? () => move(at, -1) : undefined}
            onMoveDown={at < items.length - 1 ? () => move(at, 1) : undefined}
          />
        ))}
      </ol>
      <p>
        <SecondaryButton onClick={add} disabled={rules.length >= MOST_RULES}>
          Add rule
        </SecondaryButton>
      </p>
    </Section>
  );
}

type ItemProps = {
  id: number;
  organization: Organization;
  rule: Rule;
  isOpen: boolean;
  onChange: (rule: Rule) => void;
  onRemove: () => void;
  onMoveUp: (() => void) | undefined;
  onMoveDown: (() => void) | undefined;
};

function RuleItem({ id, organization, rule, isOpen, onChange, onRemove, onMoveUp, onMoveDown }: ItemProps) {
  const [isShown, setIsShown] = useState(isOpen);
  return (
    <li className={`stack gap-2 ${styles.rule}`} data-rule={id} tabIndex={-1}>
      <RuleWords rule={rule} />
      <details open={isOpen || undefined} onToggle={({ currentTarget }) => setIsShown(currentTarget.open)}>
        <summary>
          Edit<span className="visually-hidden"> {rule.name}</span>
        </summary>
        <RuleFields organization={organization} rule={rule} isShown={isShown} onChange={onChange} />
      </details>
      <div className="buttons">
        <SecondaryButton onClick={onMoveUp} disabled={!onMoveUp} aria-label={`Move ${rule.name} up`}>
          Up
        </SecondaryButton>
        <SecondaryButton onClick={onMoveDown} disabled={!onMoveDown} aria-label={`Move ${rule.name} down`}>
          Down
        </SecondaryButton>
        <SecondaryButton onClick={onRemove} aria-label={`Remove ${rule.name}`}>
          Remove
        </SecondaryButton>
      </div>
    </li>
  );
}
