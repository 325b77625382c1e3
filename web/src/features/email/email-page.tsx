import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { useUser } from '../../lib/use-client.ts';
import { useStepFocus } from '../../lib/use-step-focus.ts';
import { AddressStep } from './address-step.tsx';
import { CodeStep } from './code-step.tsx';
import styles from './email.module.css';
import { NoticeChoice } from './notice-choice.tsx';
import { useEmail } from './use-email.ts';

/** `/email`: the person's e-mail address, confirmed with a code, and which messages go there. */
export function EmailPage() {
  const { email } = useUser();
  const state = useEmail();
  const panel = useStepFocus<HTMLDivElement>(state.confirmation ? 'confirming' : 'awaiting');
  return (
    <Card title="E-mail" banner={state.error && <Banner text={state.error} />}>
      <div ref={panel} className={styles.step} tabIndex={-1}>
        {state.confirmation ? (
          <CodeStep state={state} confirmation={state.confirmation} />
        ) : (
          <AddressStep state={state} confirmed={email} />
        )}
      </div>
      <p role="status">{state.info}</p>
      {/* A confirmed address changes what it says. */}
      {!state.confirmation && <NoticeChoice key={email} />}
    </Card>
  );
}
