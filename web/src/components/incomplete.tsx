import { Card } from './card.tsx';
import { ActionLink } from './controls.tsx';

/** Something was cut off the address of the page. */
export const INCOMPLETE =
  'This link is incomplete.\nOpen it again where you found it: a check on GitHub has it under Details.';

/** Says that the address isn't whole. */
export const Incomplete = ({ title }: { title: string }) => (
  <Card title={title} banner={INCOMPLETE}>
    <ActionLink to="/">Home</ActionLink>
  </Card>
);
