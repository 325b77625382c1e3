import { Label } from '../../components/text.tsx';
import { useMovedFrom } from './use-approval.ts';

/** Says that the opened link named another repository: after a rename or a transfer, or in a made-up link. */
export function MovedNotice({ to }: { to: string }) {
  const from = useMovedFrom();
  if (from === null) return null;
  return (
    <p role="status">
      The link that you opened names <Label text={from} inline />. This pull request is in{' '}
      <Label text={to} inline /> now. Check that it's the one you mean.
    </p>
  );
}
