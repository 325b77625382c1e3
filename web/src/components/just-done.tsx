import { useLocation } from 'react-router-dom';
import { justDoneText } from '../lib/address/just-done.ts';
import { checkIcon, Icon } from './icon.tsx';

/** Says that what the person did on the previous page succeeded. */
export function JustDone({ read = justDoneText }: { read?: (state: unknown) => string | null }) {
  const text = read(useLocation().state);
  return (
    // Always rendered, so that screen readers announce the text when it appears.
    <p role="status" className="row success">
      {text && (
        <>
          <Icon path={checkIcon} />
          {text}
        </>
      )}
    </p>
  );
}
