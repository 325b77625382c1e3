import { type Loaded, useClient, useSessionProblem } from '../lib/react/use-client.ts';
import { Banner, Card } from './card.tsx';
import { Button, SecondaryButton } from './controls.tsx';

/**
 * The banner of what couldn't be loaded, with another try; null if it could.
 *
 * @param missing What is missing, for a part that the page works without: then the banner doesn't take the focus.
 */
export const loadFailure = (loaded: Loaded<unknown>, reload: () => void, missing?: string) =>
  loaded.status === 'failed' ? (
    <Banner text={missing ? `${missing}\n${loaded.text}` : loaded.text} calm={missing !== undefined}>
      <SecondaryButton onClick={reload}>Try again</SecondaryButton>
    </Banner>
  ) : null;

/** Replaces a page that couldn't be loaded: says why, and offers another try. */
export const FailedCard = ({
  title,
  text,
  onRetry,
}: {
  title: string;
  text: string;
  onRetry: () => void;
}) => (
  <Card title={title} banner={text}>
    <Button onClick={onRetry}>Try again</Button>
  </Card>
);

/** Replaces a page that needs a session which couldn't be refreshed. */
export function SessionFailedCard({ title }: { title: string }) {
  const { session } = useClient();
  return <FailedCard title={title} text={useSessionProblem()} onRetry={() => void session.refresh()} />;
}
