import { useCallback, useState } from 'react';
import type { LostApprovals } from '../../../../src/contract/authenticators.ts';
import { Field } from '../../components/field.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import type { Authenticator } from '../../lib/authenticator.ts';
import { toIso } from '../../lib/times.ts';
import { useClient } from '../../lib/use-client.ts';
import { useLoaded } from '../../lib/use-loaded.ts';
import styles from './authenticators.module.css';
import { lossText, lostSinceOf, toLocalMinute } from './lost-since.ts';

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

type LossPreviewProps = {
  authenticator: Pick<Authenticator, 'id' | 'type' | 'org'>;
  /** RFC 3339. */
  since: string;
  /** Whether no time was entered. */
  isAll: boolean;
};

/** What the deletion of a lost authenticator withdraws, before the person confirms it. */
function LossPreview({ authenticator: { id, type, org }, since, isAll }: LossPreviewProps) {
  const { api } = useClient();
  const { orgId: orgID } = org;
  const { loaded } = useLoaded(
    useCallback(
      () => api.post<LostApprovals>('/lost-approvals', { type, id, orgID, since }),
      [api, type, id, orgID, since],
    ),
  );
  return (
    <>
      <p role="status">
        {loaded.status === 'awaiting' && (
          <Skeleton like="This withdraws 12 approvals made with it. 12 open pull requests lose an approval." />
        )}
        {loaded.status === 'ok' && lossText(loaded.value, isAll)}
        {loaded.status === 'failed' &&
          (loaded.code === 'wrongLostSince' || loaded.code === 'malformed'
            ? loaded.text
            : "We can't say now how many approvals that withdraws.")}
      </p>
      <p>Owners with a confirmed e-mail address get a message.</p>
    </>
  );
}
