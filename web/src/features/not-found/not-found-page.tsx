import { Card } from '../../components/card.tsx';
import { KeptLink } from '../../components/kept-link.tsx';

export function NotFoundPage() {
  return (
    <Card title="Page not found">
      <p>There is nothing at this address. The link may be incomplete.</p>
      <p>
        <KeptLink to="/">Go to the main dashboard</KeptLink>
      </p>
    </Card>
  );
}
