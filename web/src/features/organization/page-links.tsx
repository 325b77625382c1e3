import type { ComponentProps } from 'react';
import { InternalLink } from '../../components/controls.tsx';

type Props = { links: (Pick<ComponentProps<typeof InternalLink>, 'to' | 'query'> & { text: string })[] };

/** Links to pages of the dashboard, next to each other. */
export const PageLinks = ({ links }: Props) => (
  <ul className="links on-screen">
    {links.map(({ text, ...link }) => (
      <li key={text}>
        <InternalLink className="target" {...link}>
          {text}
        </InternalLink>
      </li>
    ))}
  </ul>
);
