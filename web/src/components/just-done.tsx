import { DONE_TEXTS } from '../lib/address/page-state.ts';
import { usePageState } from '../lib/react/use-client.ts';
import { checkIcon, Icon } from './icon.tsx';

/** Says that what the person did on the previous page succeeded. */
export function JustDone() {
  const { done } = usePageState();
  return <Success text={done ? DONE_TEXTS[done] : null} />;
}

/** A line of success. It's rendered without a text, too, so that screen readers announce the text when it appears. */
export const Success = ({ text }: { text: string | null }) => (
  <p role="status" className="row success">
    {text && (
      <>
        <Icon path={checkIcon} />
        {text}
      </>
    )}
  </p>
);
