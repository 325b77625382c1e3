import type { ReactNode } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { KnownImages } from '../../components/known-images.tsx';
import { passkey } from '../../components/outlines.ts';
import { Action } from './action.tsx';
import { Done } from './done.tsx';
import { OtherWay } from './other-way.tsx';
import { PullFacts } from './pull-facts.tsx';
import type { Approval } from './use-approval.ts';
import { Who } from './who.tsx';

export const TITLE = 'Approve pull request';

/** With what the person approves, in words, and where the other way is. */
export type By = { outline: string; text: string; other: 'totp' | 'passkey' };

export const BY_PASSKEY: By = { outline: passkey, text: 'approves with a passkey', other: 'totp' };

type Props = {
  approval: Approval;
  by: By;
  onReload: () => void;
  /** The control that approves. */
  children: ReactNode;
};

/** What is approved, who approves and with what, and the one button. Its shape is the same while it loads. */
export function ApprovalCard({ approval, by, onReload, children }: Props) {
  const { status, request, problem, answer } = approval;
  const banner = problem && <Banner text={problem.text} />;
  return (
    <Card title={TITLE} busy={status === 'loading'} banner={banner}>
      <KnownImages />
      <PullFacts request={request} loading={status === 'loading'} />
      {(request || status === 'loading') && <Who by={by} />}
      {answer ? (
        <Done answer={answer} />
      ) : (
        <>
          <Action approval={approval} onReload={onReload}>
            {children}
          </Action>
          <OtherWay kind={by.other} />
        </>
      )}
    </Card>
  );
}
