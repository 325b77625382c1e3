import { ago, dayOf, exactTime, toIso } from '../lib/times.ts';
import { useClient } from '../lib/use-client.ts';

type Props = {
  /** A time of the record store. */
  at: string;
};

/** The day of something; the exact time is on hover. */
export const Day = ({ at }: Props) => (
  <time dateTime={toIso(at)} title={exactTime(at)}>
    {dayOf(at)}
  </time>
);

/** How long ago something was; the exact time is on hover. */
export function Ago({ at }: Props) {
  const { now } = useClient();
  return (
    <time dateTime={toIso(at)} title={exactTime(at)}>
      {ago(at, now())}
    </time>
  );
}
