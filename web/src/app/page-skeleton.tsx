import { Card } from '../components/card.tsx';
import { Skeleton } from '../components/text.tsx';

/** Shown while a page's code loads. */
export function PageSkeleton() {
  return (
    <Card title="Initializing" busy>
      <p>
        <Skeleton like="A guess at the length of the first lines of a page, which is about this long." />
      </p>
    </Card>
  );
}
