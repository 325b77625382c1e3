import { whyNoReason } from '../../../src/contract/reason.ts';
import { AreaField } from './field.tsx';
import { errorIcon, Icon } from './icon.tsx';

type Props = {
  label: string;
  hint: string;
  reason: string;
  onChange: (reason: string) => void;
  /** True once the person has tried to send it: then an empty one is wrong too. */
  isTried: boolean;
  readOnly?: boolean;
};

/** A field for a reason, which says why a text can't be one. A line break that somebody types or pastes is a space. */
export function ReasonField({ label, hint, reason, onChange, isTried, readOnly = false }: Props) {
  const why = reason === '' && !isTried ? null : whyNoReason(reason.trim());
  return (
    <AreaField
      label={label}
      hint={
        why === null ? (
          hint
        ) : (
          <span className="marked" role="alert">
            <Icon path={errorIcon} /> {why}
          </span>
        )
      }
      autoFocus
      dir="auto"
      rows={3}
      required
      readOnly={readOnly}
      value={reason}
      onChange={({ target }) => onChange(target.value.replace(/[\r\n]+/g, ' '))}
      aria-invalid={why !== null}
    />
  );
}
