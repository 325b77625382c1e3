import { type ComponentType, useMemo, useState } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { usePageContext } from '../../lib/use-client.ts';
import { TITLE } from './approval-card.tsx';
import { readTarget, type Target } from './target.ts';

type Props = { Approve: ComponentType<{ target: Target }> };

/** A page that approves the commit in its address. */
export function TargetPage({ Approve }: Props) {
  const context = usePageContext();
  const read = useMemo(() => readTarget(context), [context]);
  if ('missing' in read) return <Card title={TITLE} banner={<Banner text={read.missing} />} />;
  // Another commit is another page: nothing of the one before stays on the screen.
  return <OneTarget key={JSON.stringify(read.target)} target={read.target} Approve={Approve} />;
}

function OneTarget({ target: given, Approve }: Props & { target: Target }) {
  // The key above names the members; the first object that held them serves as long as they are the same.
  const [target] = useState(given);
  return <Approve target={target} />;
}
