import { INCOMPLETE } from '../lib/incomplete.ts';
import { Banner } from './banner.tsx';
import { actionLink } from './button.tsx';
import { Card } from './card.tsx';
import { InternalLink } from './internal-link.tsx';

/** Says that the address isn't whole. */
export const Incomplete = ({ title }: { title: string }) => (
  <Card title={title} banner={<Banner text={INCOMPLETE} />}>
    <InternalLink className={actionLink} to="/">
      Home
    </InternalLink>
  </Card>
);
