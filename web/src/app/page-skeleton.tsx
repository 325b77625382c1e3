import { Card } from '../components/card.tsx';
import { Skeleton } from '../components/skeleton.tsx';

/** Stands in for a page whose code is on its way. */
export function PageSkeleton() {
  return (
    <Card title="Initializing" busy>
      <p>
        <Skeleton like="Something will stand here in a moment, and it will be about as long as this." />
      </p>
    </Card>
  );
}
