import { useState } from 'react';
import { Field } from '../../components/field.tsx';
import { toIso } from '../../lib/times.ts';
import { useClient } from '../../lib/use-client.ts';
import styles from './authenticators.module.css';
import { lostSinceOf, toLocalMinute } from './lost-since.ts';

type Props = {
  /** When the authenticator was added, as the record store writes it. */
  created: string;
  /** Gets the time since when it was lost or stolen (RFC 3339), or null. */
  onChange: (lostSince: string | null) => void;
};

/** Why an authenticator is deleted: approvals made with a lost or stolen one are withdrawn. */
export function RemovalReason({ created, onChange }: Props) {
  const { now } = useClient();
  const [isLost, setIsLost] = useState(false);
  const [entered, setEntered] = useState(() => toLocalMinute(new Date(now())));

  const choose = (lost: boolean) => {
    setIsLost(lost);
    onChange(lost ? lostSinceOf(entered, created) : null);
  };
  const enter = (text: string) => {
    setEntered(text);
    onChange(lostSinceOf(text, created));
  };
  return (
    <fieldset className={styles.reason}>
      <legend>Why are you deleting it?</legend>
      <label>
        <input type="radio" name="reason" checked={!isLost} onChange={() => choose(false)} />
        It's no longer needed
      </label>
      <label>
        <input type="radio" name="reason" checked={isLost} onChange={() => choose(true)} />
        It was lost or stolen
      </label>
      {isLost && (
        <>
          <Field
            label="Since when"
            type="datetime-local"
            hint="If you don't know, leave this empty: then all approvals made with it are withdrawn."
            value={entered}
            min={toLocalMinute(new Date(toIso(created)))}
            max={toLocalMinute(new Date(now()))}
            onChange={(event) => enter(event.target.value)}
          />
          <p>
            Approvals made with it since then are withdrawn. Their open pull requests wait for an approval
            again, and owners with a confirmed e-mail address get a message.
          </p>
        </>
      )}
    </fieldset>
  );
}
