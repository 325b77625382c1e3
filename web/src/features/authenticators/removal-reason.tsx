import { useState } from 'react';
import { Field } from '../../components/field.tsx';
import type { Authenticator } from '../../lib/authenticator.ts';
import { toIso } from '../../lib/times.ts';
import { useClient } from '../../lib/use-client.ts';
import styles from './authenticators.module.css';
import { LossPreview } from './loss-preview.tsx';
import { lostSinceOf, toLocalMinute } from './lost-since.ts';

type Props = {
  authenticator: Authenticator;
  /** Gets the time since when it was lost or stolen (RFC 3339), or null. */
  onChange: (lostSince: string | null) => void;
};

/** Why an authenticator is deleted: approvals made with a lost or stolen one are withdrawn, all of them unless a time is entered. */
export function RemovalReason({ authenticator, onChange }: Props) {
  const { now } = useClient();
  const [isLost, setIsLost] = useState(false);
  const [entered, setEntered] = useState('');
  const { created } = authenticator;

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
          <LossPreview
            authenticator={authenticator}
            since={lostSinceOf(entered, created)}
            isAll={entered === ''}
          />
        </>
      )}
    </fieldset>
  );
}
