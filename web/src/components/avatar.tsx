import { type ReactNode, useState } from 'react';
import { safeImage } from '../lib/address/safe-url.ts';
import { useClient, useUser } from '../lib/react/use-client.ts';
import { sameName } from '../lib/signing/check-statement.ts';
import styles from './avatar.module.css';

type Props = { login: string; src: string | null; size?: 'small' | 'medium' };

/** A person's picture, or their initial if there is none or it fails to load. Callers show the name next to it. */
export function Avatar({ login, src, size = 'medium' }: Props) {
  const [failed, setFailed] = useState<string | null>(null);
  const picture = safeImage(src, useClient().config);
  const className = `${styles.avatar} ${styles[size]}`;
  if (!picture || picture === failed) {
    return (
      <span className={className} aria-hidden="true">
        {login.slice(0, 1).toUpperCase()}
      </span>
    );
  }
  return (
    <img
      className={className}
      src={picture}
      alt=""
      referrerPolicy="no-referrer"
      // It's loaded once the page is on the screen.
      loading="lazy"
      onError={() => setFailed(picture)}
    />
  );
}

type PersonProps = { login: string; avatarUrl: string; children?: ReactNode };

/** A person with their picture, or the one who looks as `you`; the rest of a sentence about them may follow. */
export const Person = ({ login, avatarUrl, children }: PersonProps) => (
  <span className="row">
    <Avatar login={login} src={avatarUrl} size="small" />
    <span>
      {sameName(login, useUser().username) ? 'you' : login}
      {children}
    </span>
  </span>
);

/** Keeps the space of a picture that isn't known yet. */
export const AvatarSkeleton = () => (
  <span className={`${styles.avatar} ${styles.medium}`} aria-hidden="true" />
);
