import { Banner } from '../../components/banner.tsx';
import { actionLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { InternalLink } from '../../components/internal-link.tsx';
import { TITLE } from './approval-card.tsx';

/** Says that the address isn't whole. */
export const Incomplete = () => (
  <Card title={TITLE} banner={<Banner text="missing parameters" />}>
    <InternalLink className={actionLink} to="/">
      Home
    </InternalLink>
  </Card>
);
