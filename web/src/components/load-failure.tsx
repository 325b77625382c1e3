import type { Loaded } from '../lib/use-client.ts';
import { Banner } from './card.tsx';
import { Button } from './controls.tsx';

/**
 * The banner of what couldn't be loaded, with another try; null if it could.
 *
 * @param missing What is missing, for a part that the page works without: then the banner doesn't take the focus.
 */
export const loadFailure = (loaded: Loaded<unknown>, reload: () => void, missing?: string) =>
  loaded.status === 'failed' ? (
    <Banner text={missing ? `${missing}\n${loaded.text}` : loaded.text} calm={missing !== undefined}>
      <Button look="secondary" onClick={reload}>
        Try again
      </Button>
    </Banner>
  ) : null;
