import { useCopy } from '../lib/react/use-copy.ts';
import { SecondaryButton } from './controls.tsx';

/** A link to send or to open elsewhere: as text, with a button that copies it. */
export function CopyLink({ url }: { url: string }) {
  const { message, copy } = useCopy(url);
  return (
    <div className="stack gap-2">
      <code>{url}</code>
      <div className="buttons muted">
        <SecondaryButton onClick={copy}>Copy link</SecondaryButton>
        <p role="status">{message}</p>
      </div>
    </div>
  );
}
