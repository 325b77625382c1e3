import { useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { Label } from '../../components/label.tsx';
import { Notice } from '../../components/notice.tsx';
import { KIND_NAMES, type ReadFile } from './read-file.ts';
import styles from './verify.module.css';

type Props = { files: ReadFile[]; onRemove: (file: ReadFile) => void };

/** The files that the person added, and what each is. */
export function FileList({ files, onRemove }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const remove = (file: ReadFile) => {
    // The pressed button is gone then.
    list.current?.focus();
    onRemove(file);
  };
  const named = files.map((file, at) => ({ file, key: `${at} ${file.name}` }));
  return (
    <ul ref={list} className={styles.files} tabIndex={-1} aria-label="Files" aria-live="polite">
      {named.map(({ file, key }) => (
        <li key={key}>
          <p className={styles.file}>
            <span>
              {KIND_NAMES[file.kind]}: <Label text={file.name} inline />
            </span>
            <Button look="bar" onClick={() => remove(file)}>
              Remove<span className="visually-hidden"> {file.name}</span>
            </Button>
          </p>
          {file.kind === 'unusable' && (
            <Notice look="warning">
              <p>{file.problem}</p>
            </Notice>
          )}
        </li>
      ))}
    </ul>
  );
}
