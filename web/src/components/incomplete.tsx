import { missingOf, type PageContext } from '../lib/address/page-context.ts';
import { usePageContext } from '../lib/react/use-client.ts';
import { Card } from './card.tsx';
import { ActionLink } from './controls.tsx';

/** Says which part the address lacks, and what to do: the end was probably cut off. */
export const incompleteText = (missing: string) =>
  `${missing}\nOpen the link again where you found it on GitHub: under the check's Details, or on the run's page.`;

type Props = { title: string; needs: readonly (keyof PageContext)[] };

/** Names the first parameter that the page needs and its address lacks. */
export const Incomplete = ({ title, needs }: Props) => (
  <Card title={title} banner={incompleteText(missingOf(usePageContext(), needs) ?? '')}>
    <ActionLink to="/">Home</ActionLink>
  </Card>
);
