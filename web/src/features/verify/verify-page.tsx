import { useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { CheckpointField } from './checkpoint-field.tsx';
import { DropZone } from './drop-zone.tsx';
import { FileList } from './file-list.tsx';
import { KeySource } from './key-source.tsx';
import type { ReadFile } from './read-file.ts';
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
      title="Verify a receipt or a log"
      wide
      banner={state.status === 'failed' && <Banner text={state.text} />}
    >
      <p className={styles.purpose}>
        Check whether a person really approved exactly this commit, or whether a log was changed since it was
        written: add the receipt or the export that somebody gave you.
      </p>
      <p className={styles.promise}>
        Your files stay in this browser. It checks them with the keys that this server publishes.
      </p>
      <DropZone onFiles={(more) => setFiles((now) => [...now, ...more])} />
      <FileList files={files} onRemove={(file) => setFiles((now) => now.filter((one) => one !== file))} />
      <p className={styles.progress} role="status">
        {state.status === 'busy' ? state.text : ''}
      </p>
      {state.status === 'failed' && <Button onClick={again}>Try again</Button>}
      {state.status === 'done' && <Results {...state.result} hasTexts={hasTexts} keySource={keySource} />}
      <CheckpointField onUse={setPasted} />
      {state.status === 'done' && <KeySource source={keySource} />}
    </Card>
  );
}
