import type { ReactNode } from 'react';
import type { EnrolmentAnswer } from '../../../../src/contract/enrolment.ts';
import { Card } from '../../components/card.tsx';
import { FailedCard } from '../../components/load-failure.tsx';
import { SkeletonLine } from '../../components/text.tsx';
import type { Loaded } from '../../lib/use-client.ts';

type Props = {
  title: string;
  state: { loaded: Loaded<EnrolmentAnswer>; reload: () => void };
  children: (enrolment: EnrolmentAnswer) => ReactNode;
};

/** A page about an organization's enrolment, once the server has answered. */
export function EnrolmentPage({ title, state: { loaded, reload }, children }: Props) {
  if (loaded.status === 'ok') return children(loaded.value);
  if (loaded.status === 'failed') return <FailedCard title={title} text={loaded.text} onRetry={reload} />;
  return (
    <Card title={title} busy>
      <SkeletonLine like="A guess at the length of the text about one authenticator, in two lines." />
    </Card>
  );
}
