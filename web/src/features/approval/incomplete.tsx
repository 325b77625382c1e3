import { Banner } from '../../components/banner.tsx';
import { actionLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { InternalLink } from '../../components/internal-link.tsx';
import { TITLE } from './approval-card.tsx';

/** Says what the address lacks. */
export const Incomplete = ({ missing }: { missing: string }) => (
  <Card title={TITLE} banner={<Banner text={missing} />}>
    <InternalLink className={actionLink} to="/">
      Home
    </InternalLink>
  </Card>
);
