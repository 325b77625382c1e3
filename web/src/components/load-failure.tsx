import type { Loaded } from '../lib/use-loaded.ts';
import { Banner } from './banner.tsx';
import { Button } from './button.tsx';

/** The banner of what couldn't be loaded, with another try; null if it could. */
export const loadFailure = (loaded: Loaded<unknown>, reload: () => void) =>
  loaded.status === 'failed' ? (
    <Banner text={loaded.text}>
      <Button look="secondary" onClick={reload}>
        Try again
      </Button>
    </Banner>
  ) : null;
