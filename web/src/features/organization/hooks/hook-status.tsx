import type { HookAnswer, HookTry } from '../../../../../src/contract/hooks.ts';
import { Notice } from '../../../components/notice.tsx';
import { Ago } from '../../../components/time.tsx';
import { exactTime } from '../../../lib/times.ts';
import { StatusRow } from '../status-row.tsx';
import { outcomeText } from './hook-texts.ts';
import styles from './hooks.module.css';

/** Shows where an outgoing webhook leads, and how the last try went. */
export const HookStatus = ({ hook }: { hook: HookAnswer }) => (
  <>
    <p className={styles.host}>
      To <bdi>{hook.host}</bdi>
    </p>
    <div role="status">
      {hook.last ? (
        <LastTry last={hook.last} />
      ) : (
        <StatusRow status="unknown">
          <p>Nothing was sent yet.</p>
        </StatusRow>
      )}
    </div>
    {hook.stopped && (
      <Notice look="warning">
        <p>It failed for a week, so it was stopped. Replace it to send again from then on.</p>
      </Notice>
    )}
    {hook.failingSince && hook.nextTry && (
      <p className={styles.quiet}>
        Fails since {exactTime(hook.failingSince)}. Next try: {exactTime(hook.nextTry)}. A successful test
        brings it forward.
      </p>
    )}
  </>
);

function LastTry({ last: { at, outcome } }: { last: HookTry }) {
  const { text, help, isGood } = outcomeText(outcome);
  return (
    <StatusRow status={isGood ? 'good' : 'wrong'}>
      <p>
        {text}, <Ago at={at} />
      </p>
      {help && <p className={styles.quiet}>{help}</p>}
    </StatusRow>
  );
}
