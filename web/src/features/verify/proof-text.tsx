import { Fragment } from 'react';
import { Hash } from '../../components/hash.tsx';
import { exactTime } from '../../lib/times.ts';

/** A hash of a commit or a file, or a time as JSON has it. */
const EXACT = /\b([0-9a-f]{40}|[0-9a-f]{64}|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)\b/;

/** A text about a proof. Its hashes and times are short: hovering shows them in full, and so does a print. */
export const ProofText = ({ text }: { text: string }) => (
  <bdi>
    {text.split(EXACT).map((piece, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes.
      <Fragment key={at}>{at % 2 === 0 ? piece : <Exact value={piece} />}</Fragment>
    ))}
  </bdi>
);

function Exact({ value }: { value: string }) {
  if (!value.includes('T')) return <Hash hash={value} />;
  return (
    <time dateTime={value} title={value}>
      {exactTime(value)}
    </time>
  );
}
