import { useState } from 'react';
import { Card } from '../components/card.tsx';
import { Button } from '../components/controls.tsx';
import { readConfig } from '../lib/address/config.ts';
import { readPageContext } from '../lib/address/page-context.ts';
import { safeUrl } from '../lib/address/safe-url.ts';
import styles from './frame.module.css';

/** Shown when the app itself failed, so it uses nothing that may have failed with it, such as the router. */
export function ErrorScreen({ text }: { text: string }) {
  const [isStuck, setStuck] = useState(false);
  const back = () => {
    window.close();
    // A browser closes only windows that a script opened. If this one stays, go to the pull request instead.
    window.setTimeout(() => leave(() => setStuck(true)), 200);
  };
  return (
    <div className={styles.frame}>
      <main className={styles.main}>
        <Card title="Something went wrong" banner={text}>
          <Button onClick={back}>Back to Pull Request</Button>
          {isStuck && <p role="status">You can close this tab now.</p>}
        </Card>
      </main>
    </div>
  );
}

function leave(giveUp: () => void): void {
  const config = readConfig(document, window.location.origin);
  const target = safeUrl(readPageContext(window.location.search).url, config);
  if (target?.startsWith('http')) window.location.assign(target);
  else giveUp();
}
