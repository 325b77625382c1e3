import { Card } from '../../components/card.tsx';
import { InternalLink } from '../../components/controls.tsx';

export function NotFoundPage() {
  return (
    <Card title="Page not found">
      <p>There's nothing at this address. The link may be incomplete.</p>
      <p>
        <InternalLink to="/">Go to the main dashboard</InternalLink>
      </p>
    </Card>
  );
}
