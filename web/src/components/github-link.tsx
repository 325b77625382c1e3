import type { AnchorHTMLAttributes } from 'react';
import { safeUrl } from '../lib/safe-url.ts';
import { useClient } from '../lib/use-client.ts';
import styles from './github-link.module.css';
import { Icon } from './icon.tsx';
import { external } from './outlines.ts';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target' | 'rel'> & {
  href: string | null;
  /** Opens beside this page, which is then still there to come back to. */
  beside?: boolean;
};

/** A link to a page on GitHub; only its text where the address may not be followed. */
export function GithubLink({ href, beside = false, children, ...rest }: Props) {
  const { config } = useClient();
  const target = safeUrl(href, config);
  if (!target || target.startsWith('/')) return <span className={rest.className}>{children}</span>;
  if (!beside) {
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
      className={`${styles.beside} ${rest.className ?? ''}`}
    >
      {children}
      <Icon outline={external} size="small" />
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
