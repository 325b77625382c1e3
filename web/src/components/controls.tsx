import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentProps, MouseEvent } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { keepQuery } from '../lib/address/page-context.ts';
import { safeUrl } from '../lib/address/safe-url.ts';
import { useClient } from '../lib/react/use-client.ts';
import type { OwnAuthenticators } from '../lib/session/user.ts';
import type { Status } from '../lib/signing/sign-shown.ts';
import styles from './controls.module.css';
import { externalLinkIcon, Icon } from './icon.tsx';

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** `primary` is the page's main action: use it once. `danger` takes something away for good. `link` stands next to links. */
  variant?: 'primary' | 'secondary' | 'bar' | 'danger' | 'link' | undefined;
  /** Ignores presses but stays focusable, so the focus isn't lost while the action runs. */
  busy?: boolean;
};

export function Button({ variant = 'primary', busy = false, onClick, type = 'button', ...rest }: Props) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      className={`${styles.button} ${styles[variant]}`}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={press}
    />
  );
}

/** A button next to the page's main action. */
export const SecondaryButton = (props: Omit<Props, 'variant'>) => <Button {...props} variant="secondary" />;

type SignButtonProps = Omit<Props, 'busy'> & { status: Status; action: string; busyAction: string };

/** A button after which the person has to use their passkey. It says what it waits for: the touch, or the server. */
export function SignButton({ status, action, busyAction, ...rest }: SignButtonProps) {
  const text = status === 'awaiting' || status === 'loading' ? action : busyAction;
  return (
    <Button {...rest} busy={status !== 'awaiting'}>
      {status === 'signing' ? 'Waiting for your passkey' : text}
    </Button>
  );
}

/** Classes of a link that is the page's main action. */
export const actionLink = `${styles.button} ${styles.primary}`;

/** Classes of a link that looks like a secondary button. */
export const quietActionLink = `${styles.button} ${styles.secondary}`;

type InternalLinkProps = Omit<ComponentProps<typeof Link>, 'to'> & {
  to: string;
  /** Query parameters to add or replace; null removes one. */
  query?: Record<string, string | null>;
};

/** A link inside the dashboard. It keeps the query string, which tells each page what it's about; `info` is for one page. */
export function InternalLink({ to, query, ...rest }: InternalLinkProps) {
  const { search } = useLocation();
  return <Link {...rest} to={keepQuery(to, search, { info: null, ...query })} />;
}

/** A link that is the page's main action. */
export const ActionLink = (props: InternalLinkProps) => <InternalLink {...props} className={actionLink} />;

type OtherMethodProps = InternalLinkProps & { own: OwnAuthenticators; isCode: boolean };

/** Leads from a passkey to a one-time code or back, if the person has an authenticator for it. */
export const OtherMethod = ({ own: { totp, webauthn }, isCode, ...link }: OtherMethodProps) =>
  (isCode ? webauthn.length > 0 : totp) && (
    <p>
      <InternalLink {...link}>
        {isCode ? 'Use a passkey instead' : 'Use a one-time code instead'}
      </InternalLink>
    </p>
  );

type GithubLinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target' | 'rel'> & {
  href: string | null;
  /** Opens a new tab, so the person can come back to this page. */
  newTab?: boolean;
};

/** A link to a page on GitHub. If `safeUrl` refuses the address, only the text is shown. */
export function GithubLink({ href, newTab = false, children, ...rest }: GithubLinkProps) {
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
      // A description, so that it isn't part of the name of a heading around the link.
      title="Opens in a new tab"
    >
      {children}
      <Icon path={externalLinkIcon} size="small" />
    </a>
  );
}

/** A person or an organization, linked to their page on GitHub. */
export function LoginLink({ login, children, ...rest }: Omit<GithubLinkProps, 'href'> & { login: string }) {
  const { github } = useClient().config;
  return (
    <GithubLink {...rest} href={`${github}/${encodeURIComponent(login)}`}>
      {children ?? <bdi>{login}</bdi>}
    </GithubLink>
  );
}
