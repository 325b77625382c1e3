import palettes from 'nice-color-palettes/500.json' with { type: 'json' };
import { useState } from 'react';
import type { ImageAnswer, SecurityImage } from '../../../../src/contract/image.ts';
import { ApiError } from '../../lib/api-client.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import { useKept } from '../../lib/use-kept.ts';
import { randomName, randomPalette, readImage } from './random-image.ts';

/** Whose image it is: `orgId` is GitHub's id of the organization, 0 for the person's own. `image` is the present one. */
export type Owner = { orgId: number; image: SecurityImage | null };

/** The choice of an image, which outlives errors and a reload, and its way to the server. */
export function useImage({ orgId, image }: Owner) {
  const { api, session } = useClient();
  const { id } = useUser();
  const [chosen, keep] = useKept(`image:${id}:${orgId}`, readImage);
  const [first] = useState(
    (): SecurityImage => image ?? { name: randomName(), colors: randomPalette(palettes), variant: 'marble' },
  );
  const [status, setStatus] = useState<'awaiting' | 'pending'>('awaiting');
  const [error, setError] = useState<string | null>(null);
  const [info, setInfo] = useState('');
  const choice = chosen ?? image ?? first;

  const change = (part: Partial<SecurityImage>) => {
    if (status === 'pending') return;
    setInfo('');
    keep({ ...choice, ...part });
  };

  const save = async () => {
    setStatus('pending');
    setError(null);
    setInfo('');
    try {
      const path = orgId === 0 ? '/personal-set-image' : '/github-set-image';
      await api.post<ImageAnswer>(path, { orgID: orgId, image: choice });
      await session.refresh();
      keep(null);
      setInfo('Successfully set image');
    } catch (cause) {
      setError(cause instanceof ApiError ? cause.message : `Unknown error: ${String(cause)}`);
    }
    setStatus('awaiting');
  };

  return {
    choice,
    status,
    error,
    info,
    save,
    draw: (variant: SecurityImage['variant']) => change({ variant }),
    newColors: () => change({ colors: randomPalette(palettes) }),
    newShape: () => change({ name: randomName() }),
  };
}

export type ImageState = ReturnType<typeof useImage>;
