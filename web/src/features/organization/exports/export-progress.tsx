import { useEffect, useRef } from 'react';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import type { ExportState } from './use-export.ts';

type Props = { state: ExportState; onCancel: () => void };

/** How far an export is, and how it ended. */
export function ExportProgress({ state: { status, text }, onCancel }: Props) {
  const ref = useRef<HTMLParagraphElement>(null);
  const wasRunning = useRef(false);
  useEffect(() => {
    // Cancel is gone then, and may have had the focus.
    const isLost = document.activeElement === document.body;
    if (wasRunning.current && status !== 'running' && isLost) ref.current?.focus();
    wasRunning.current = status === 'running';
  }, [status]);
  return (
    <>
      {status === 'failed' && <Banner text={text} />}
      <p ref={ref} role="status" tabIndex={-1}>
        {status === 'failed' ? '' : text}
      </p>
      {status === 'running' && (
        <p>
          <Button look="secondary" onClick={onCancel}>
            Cancel
          </Button>
        </p>
      )}
    </>
  );
}
