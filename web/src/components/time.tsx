import { ago, dayOf, exactTime, toIso } from '../lib/times.ts';
import { useClient } from '../lib/use-client.ts';

type Props = {
  /** A time as the record store writes it. */
  at: string;
};

/** The day part of a time; hovering shows the exact time. */
export const Day = ({ at }: Props) => (
  <time dateTime={toIso(at)} title={exactTime(at)}>
    {dayOf(at)}
  </time>
);

/** How long ago a time was; hovering shows the exact time. */
export function Ago({ at }: Props) {
  const { now } = useClient();
  return (
    <time dateTime={toIso(at)} title={exactTime(at)}>
      {ago(at, now())}
    </time>
  );
}
