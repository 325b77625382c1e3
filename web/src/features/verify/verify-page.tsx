import { type ChangeEvent, type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Banner, Card } from '../../components/card.tsx';
import { Button, SecondaryButton } from '../../components/controls.tsx';
import { AreaField, Field } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import { Label } from '../../components/text.tsx';
import { KIND_NAMES, type ReadFile, readFile } from './read-file.ts';
import { Results } from './results.tsx';
import { useVerify } from './use-verify.ts';
import styles from './verify.module.css';

/** `/verify`: checks receipts and exported logs in this browser. Everyone may use it; nothing is sent. */
export function VerifyPage() {
  const [files, setFiles] = useState<ReadFile[]>([]);
  const [pasted, setPasted] = useState('');
  const { state, keySource, hasTexts, again } = useVerify(files, pasted);
  return (
    <Card
      title="Verify a receipt or an export"
      wide
      banner={state.status === 'failed' && <Banner text={state.text} />}
    >
      <p className="on-screen">
        Check whether a person really approved or denied exactly this commit or deployment, or whether a log
        was changed since it was written: add the receipt or the export that you were given.
      </p>
      <p className="bold on-screen">
        Your files stay in this browser. It checks them with the keys that this server publishes.
      </p>
      <DropZone onFiles={(more) => setFiles((now) => [...now, ...more])} />
      <FileList files={files} onRemove={(file) => setFiles((now) => now.filter((one) => one !== file))} />
      <p className="quiet on-screen" role="status">
        {state.status === 'busy' ? state.text : ''}
      </p>
      {state.status === 'failed' && <Button onClick={again}>Try again</Button>}
      {state.status === 'done' && <Results {...state.result} hasTexts={hasTexts} keySource={keySource} />}
      <CheckpointField onUse={setPasted} />
      {state.status === 'done' && <KeySource source={keySource} />}
    </Card>
  );
}

const MOST_CHARACTERS = 1_000_000;

/** Takes checkpoints that another person kept. They show that the server didn't rewrite its log. */
function CheckpointField({ onUse }: { onUse: (text: string) => void }) {
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onUse(text);
  };
  return (
    <details className="on-screen">
      <summary>Compare with checkpoints from GitHub or e-mails</summary>
      <form className="stack gap-3" onSubmit={submit}>
        <AreaField
          label="Checkpoints"
          hint="Paste the summary of a check run or an owner's e-mail, or several. The text around a checkpoint is ignored."
          isCode
          rows={6}
          maxLength={MOST_CHARACTERS}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <SecondaryButton type="submit">Use these checkpoints</SecondaryButton>
      </form>
    </details>
  );
}

/** The files that the person added, and what each is. */
function FileList({ files, onRemove }: { files: ReadFile[]; onRemove: (file: ReadFile) => void }) {
  const list = useRef<HTMLUListElement>(null);
  const remove = (file: ReadFile) => {
    // The pressed button is gone then.
    list.current?.focus();
    onRemove(file);
  };
  const named = files.map((file, at) => ({ file, key: `${at} ${file.name}` }));
  return (
    <ul ref={list} className="stack gap-1 on-screen" tabIndex={-1} aria-label="Files" aria-live="polite">
      {named.map(({ file, key }) => (
        <li key={key}>
          <p className={`between ${styles.file}`}>
            <span>
              {KIND_NAMES[file.kind]}: <Label text={file.name} inline />
            </span>
            <Button variant="bar" onClick={() => remove(file)}>
              Remove<span className="visually-hidden"> {file.name}</span>
            </Button>
          </p>
          {file.kind === 'unusable' && (
            <Notice variant="warning">
              <p>{file.problem}</p>
            </Notice>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Says whose keys the files are checked with, and what that means. */
const KeySource = ({ source }: { source: string }) => (
  <p className="quiet on-screen">
    Checked with <Label text={source} inline />. A server could publish a false list: if you don't trust this
    one, add a list that you kept, or use the program <code>otp-guard verify</code> on your own computer.
  </p>
);

/** More together are an accident, such as a dropped home folder. */
const MOST_FILES = 50;

/** Takes files from a file chooser, or dropped anywhere on the page. */
function DropZone({ onFiles }: { onFiles: (files: ReadFile[]) => void }) {
  const take = async (files: Iterable<File>) =>
    onFiles(await Promise.all([...files].slice(0, MOST_FILES).map(readFile)));
  const isOver = useDroppedFiles((files) => void take(files));

  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    await take(target.files ?? []);
    // The same file can be chosen again after it was changed.
    target.value = '';
  };
  return (
    <div className={`on-screen ${styles.zone} ${isOver ? styles.over : ''}`}>
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

/** The whole window takes files: outside the zone, the browser would leave the page and open them. */
function useDroppedFiles(onDrop: (files: FileList) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    const handle = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setIsOver(event.type === 'dragover');
      if (event.type === 'drop') drop(event.dataTransfer.files);
    };
    const names = ['dragover', 'dragleave', 'drop'] as const;
    for (const name of names) window.addEventListener(name, handle);
    return () => {
      for (const name of names) window.removeEventListener(name, handle);
    };
  }, []);
  return isOver;
}
