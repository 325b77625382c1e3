import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { Field } from '../../components/field.tsx';
import { type ReadFile, readFile } from './read-file.ts';
import styles from './verify.module.css';

/** More at once are an accident, such as a dropped home folder. */
const MOST_FILES = 50;

/** Takes files from a file chooser, or dropped anywhere on the page. */
export function DropZone({ onFiles }: { onFiles: (files: ReadFile[]) => void }) {
  const take = useRef<(files: Iterable<File>) => Promise<void>>(async () => undefined);
  take.current = async (files) => onFiles(await Promise.all([...files].slice(0, MOST_FILES).map(readFile)));
  const isOver = useDroppedFiles((files) => void take.current(files));

  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    await take.current(target.files ?? []);
    // The same file can be chosen again after it was changed.
    target.value = '';
  };
  return (
    <div className={`${styles.zone} ${isOver ? styles.over : ''}`}>
      <Field
        label="Drop files here, or choose them"
        hint="Receipts, log exports, a key list that you saved, and files with checkpoints, in any order."
        type="file"
        multiple
        accept=".json,.txt,.md"
        onChange={(event) => void choose(event)}
      />
    </div>
  );
}

/** The whole window takes files: beside the zone, the browser would leave the page and open them. */
function useDroppedFiles(onDrop: (files: FileList) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const dropped = useRef(onDrop);
  dropped.current = onDrop;
  useEffect(() => {
    const handle = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setIsOver(event.type === 'dragover');
      if (event.type === 'drop') dropped.current(event.dataTransfer.files);
    };
    const names = ['dragover', 'dragleave', 'drop'] as const;
    for (const name of names) window.addEventListener(name, handle);
    return () => {
      for (const name of names) window.removeEventListener(name, handle);
    };
  }, []);
  return isOver;
}
