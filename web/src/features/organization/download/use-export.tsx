import { useEffect, useRef, useState } from 'react';
import { ActionError } from '../../../components/action-error.tsx';
import { SecondaryButton } from '../../../components/controls.tsx';
import { sentenceOf } from '../../../lib/api/api-client.ts';
import type { Job } from './read-pages.ts';

type ExportState = { status: 'idle' | 'running' | 'done' | 'failed'; text: string };

/** Runs one export at a time. `work` resolves to the sentence that says what was saved. */
export function useExport() {
  const [state, setState] = useState<ExportState>({ status: 'idle', text: '' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (work: (job: Job) => Promise<string>) => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current?.abort();
    running.current = controller;
    const show = (next: ExportState) => signal.aborted || setState(next);
    show({ status: 'running', text: 'Exporting' });
    try {
      show({
        status: 'done',
        text: await work({ signal, onProgress: (text) => show({ status: 'running', text }) }),
      });
    } catch (error) {
      show({ status: 'failed', text: sentenceOf(error) });
    }
  };
  const cancel = () => {
    running.current?.abort();
    setState({ status: 'idle', text: 'Cancelled. Nothing was saved.' });
  };
  return {
    state,
    run: (work: (job: Job) => Promise<string>) => void run(work),
    refuse: (text: string) => setState({ status: 'failed', text }),
    cancel,
  };
}

type Props = { state: ExportState; onCancel: () => void };

/** Shows how far an export is, and how it ended. */
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
      <ActionError text={status === 'failed' ? text : null} />
      <p ref={ref} role="status" tabIndex={-1}>
        {status === 'failed' ? '' : text}
      </p>
      {status === 'running' && (
        <p>
          <SecondaryButton onClick={onCancel}>Cancel</SecondaryButton>
        </p>
      )}
    </>
  );
}
