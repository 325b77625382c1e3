import { Label } from '../../components/text.tsx';
import { usePageState } from '../../lib/react/use-client.ts';

/** Says that the opened link named another repository: after a rename or a transfer, or in a made-up link. */
export function MovedNotice({ to }: { to: string }) {
  const { movedFrom: from } = usePageState();
  if (!from) return null;
  return (
    <p role="status">
      The link that you opened names <Label text={from} inline />. This pull request is in{' '}
      <Label text={to} inline /> now. Check that it's the one you mean.
    </p>
  );
}
