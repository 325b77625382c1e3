import { INCOMPLETE } from '../lib/incomplete.ts';
import { Card } from './card.tsx';
import { ActionLink } from './controls.tsx';

/** Says that the address isn't whole. */
export const Incomplete = ({ title }: { title: string }) => (
  <Card title={title} banner={INCOMPLETE}>
    <ActionLink to="/">Home</ActionLink>
  </Card>
);
