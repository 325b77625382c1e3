import type { AnchorHTMLAttributes } from 'react';
import { safeUrl } from '../lib/safe-url.ts';
import { useClient } from '../lib/use-client.ts';
import styles from './github-link.module.css';
import { Icon } from './icon.tsx';
import { externalLinkIcon } from './icons.ts';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target' | 'rel'> & {
  href: string | null;
  /** Opens a new tab, so the person can come back to this page. */
  newTab?: boolean;
};

/** A link to a page on GitHub. If `safeUrl` refuses the address, only the text is shown. */
export function GithubLink({ href, newTab = false, children, ...rest }: Props) {
  const { config } = useClient();
  const target = safeUrl(href, config);
  if (!target || target.startsWith('/')) return <span className={rest.className}>{children}</span>;
  if (!newTab) {
    return (
      <a {...rest} href={target} rel="noreferrer">
        {children}
      </a>
    );
  }
  return (
    <a
      {...rest}
      href={target}
      target="_blank"
      rel="noreferrer"
      className={`${styles.newTab} ${rest.className ?? ''}`}
    >
      {children}
      <Icon path={externalLinkIcon} size="small" />
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
