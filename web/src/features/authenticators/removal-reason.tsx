import { useState } from 'react';
import type { LostApprovals } from '../../../../src/contract/authenticators.ts';
import { Field } from '../../components/field.tsx';
import { Skeleton } from '../../components/text.tsx';
import { useAnswer } from '../../lib/react/queries.ts';
import { useClient } from '../../lib/react/use-client.ts';
import type { Authenticator } from '../../lib/signing/authenticator.ts';
import { toIso } from '../../lib/times.ts';
import styles from './authenticators.module.css';

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
  /** True if no time was entered. */
  isAll: boolean;
};

/** Shows what the deletion of a lost authenticator withdraws, before the person confirms it. */
function LossPreview({ authenticator: { id, type, org }, since, isAll }: LossPreviewProps) {
  const { loaded } = useAnswer('/lost-approvals', { type, id, orgID: org.orgId, since });
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

/** The time in the form of `<input type="datetime-local">`: local, to the minute. */
function toLocalMinute(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/**
 * The time that a person entered, as RFC 3339, but not before the authenticator was added. An empty one means that they
 * don't know: then all approvals made with it count as lost.
 *
 * @param created A time of the record store.
 */
export function lostSinceOf(entered: string, created: string): string {
  const added = toIso(created);
  const time = Date.parse(entered);
  return Number.isNaN(time) || time < Date.parse(added) ? added : new Date(time).toISOString();
}

const countOf = (count: number, one: string) =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

/** Says what the deletion withdraws; `isAll` if that isn't limited to a time. */
export function lossText({ approvals, others, openPulls }: LostApprovals, isAll: boolean): string {
  const made = isAll ? 'made with it' : 'made with it since then';
  if (approvals + others === 0) return `No approval was ${made}, so none is withdrawn.`;
  const pulls =
    openPulls === 0
      ? 'No open pull request loses an approval.'
      : `${countOf(openPulls, 'open pull request')} ${openPulls === 1 ? 'loses' : 'lose'} an approval.`;
  const denied = others === 1 ? 'denial or rejection' : 'denials or rejections';
  const and = others > 0 ? ` and ${others} ${denied}` : '';
  return `This withdraws ${countOf(approvals, 'approval')}${and} ${made}. ${pulls}`;
}
