import palettes from 'nice-color-palettes/500.json' with { type: 'json' };
import { useState } from 'react';
import type { ImageAnswer, SecurityImage } from '../../../../src/contract/image.ts';
import { sentenceOf } from '../../lib/api-client.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import { useTabState } from '../../lib/use-tab-state.ts';
import { randomName, randomPalette, readImage } from './random-image.ts';

/** Whose image it is. `orgId` is GitHub's id of the organization, or 0 for the person's own; `image` is the current one. */
export type ImageSubject = { orgId: number; image: SecurityImage | null };

/** A draft of a security image, which survives errors and reloads, and the function that saves it. */
export function useImageEditor({ orgId, image }: ImageSubject) {
  const { api, session } = useClient();
  const { id } = useUser();
  const [changed, setChanged] = useTabState(`image:${id}:${orgId}`, readImage);
  const [suggestion] = useState(randomImage);
  const [status, setStatus] = useState<'awaiting' | 'pending'>('awaiting');
  const [error, setError] = useState<string | null>(null);
  const [info, setInfo] = useState('');
  const draft = changed ?? image ?? suggestion;

  const change = (part: Partial<SecurityImage>) => {
    if (status === 'pending') return;
    setInfo('');
    setChanged({ ...draft, ...part });
  };

  const save = async () => {
    setStatus('pending');
    setError(null);
    setInfo('');
    try {
      const path = orgId === 0 ? '/personal-set-image' : '/github-set-image';
      await api.post<ImageAnswer>(path, { orgID: orgId, image: draft });
      await session.refresh();
      setChanged(null);
      setInfo('Successfully set image');
    } catch (cause) {
      setError(sentenceOf(cause));
    }
    setStatus('awaiting');
  };

  return {
    draft,
    status,
    error,
    info,
    save,
    setVariant: (variant: SecurityImage['variant']) => change({ variant }),
    newColors: () => change({ colors: randomPalette(palettes) }),
    newShape: () => change({ name: randomName() }),
  };
}

const randomImage = (): SecurityImage => ({
  name: randomName(),
  colors: randomPalette(palettes),
  variant: 'marble',
});
