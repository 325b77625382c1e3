import { useEffect, useEffectEvent, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { ActionError } from '../../components/action-error.tsx';
import { Card } from '../../components/card.tsx';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { Success } from '../../components/just-done.tsx';
import { keepQuery, readPageContext } from '../../lib/address/page-context.ts';
import { SIGNED_OUT_TEXT } from '../../lib/address/page-state.ts';
import { recordStoreOf } from '../../lib/react/record-store.ts';
import { useClient, usePageState, useSessionState } from '../../lib/react/use-client.ts';
import type { Client } from '../../lib/session/client.ts';
import { startSignIn } from './start-sign-in.ts';

type Props = {
  /** The path of the dashboard to return to. */
  returnTo: string;
  /** Why the person has to sign in again, if there is a reason. */
  error?: string | null;
  /** True if the person opened this page signed out, and hasn't signed in or out on it since. */
  isOpened?: boolean;
};

/** Signs the person in with GitHub and returns them to the page they opened. */
export function LoginCard({ returnTo, error: notice = null, isOpened = false }: Props) {
  const client = useClient();
  const pull = pullOfPath(returnTo);
  const [continues] = useState(() => isOpened && pull !== null && mayContinue(client));
  // Nobody has to read why an earlier sign-in ended if the next one needs no click.
  const reason = continues ? null : notice;
  const [status, setStatus] = useState<'awaiting' | 'continuing' | 'pending'>(
    continues ? 'continuing' : 'awaiting',
  );
  const [error, setError] = useState(reason);

  // Only a sign-in that didn't last makes the clock suspicious.
  useEffect(() => {
    if (reason !== null) void wrongClock(client).then((text) => text && setError(text));
  }, [client, reason]);

  // The browser's back button restores this page with its pending state.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) setStatus('awaiting');
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);

  const start = async () => {
    setError(null);
    setStatus('pending');
    try {
      window.location.assign(await startSignIn({ ...client, store: recordStoreOf(client) }, returnTo));
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : `Unknown error: ${cause}`);
      setStatus('awaiting');
    }
  };

  const continueNow = useEffectEvent(() => {
    client.tab.setItem(CONTINUED_AT, String(client.now()));
    void start();
  });
  useEffect(() => {
    if (status === 'continuing') return whenSeen(continueNow);
  }, [status]);

  const { signedOut } = usePageState();
  if (status === 'pending') return <Authenticating />;
  return (
    <Card title="Sign in">
      <Success text={signedOut ? SIGNED_OUT_TEXT : null} />
      <p>Approve pull requests with your passkey, security key or authenticator app.</p>
      {pull && <p>You'll continue with {pull}.</p>}
      <ActionError text={error} />
      <Button onClick={() => void start()}>
        <Icon path={githubIcon} />
        Authenticate with GitHub
      </Button>
      {continues && <Continuing isNext={status === 'continuing'} />}
    </Card>
  );
}

/** Says where the page goes next. The text comes after its element, so that screen readers announce it. */
function Continuing({ isNext }: { isNext: boolean }) {
  const { config } = useClient();
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(true), []);
  return (
    <p role="status">{isShown && isNext && `Continuing to ${new URL(config.github).host} to sign you in…`}</p>
  );
}

/** The key in session storage of the time at which this tab last continued to GitHub automatically. */
const CONTINUED_AT = 'continued-at';

/** If a sign-in leads back here within this time, only the button starts the next one. */
const CONTINUE_AGAIN_MS = 10 * 60_000;

/** Long enough to read where the page goes. */
const CONTINUE_AFTER_MS = 1000;

/** Tells whether a link led to this page, instead of a reload or the browser's back button, and not in a loop. */
function mayContinue({ tab, now }: Pick<Client, 'tab' | 'now'>): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'navigate' && now() - Number(tab.getItem(CONTINUED_AT)) > CONTINUE_AGAIN_MS;
}

/**
 * Calls `act` once the page has been visible for as long as the line needs. Pages in background tabs wait, so that
 * nobody finds a tab on GitHub that they haven't seen here.
 */
function whenSeen(act: () => void): () => void {
  let timer: number | undefined;
  const wait = () => {
    window.clearTimeout(timer);
    if (!document.hidden) timer = window.setTimeout(act, CONTINUE_AFTER_MS);
  };
  wait();
  document.addEventListener('visibilitychange', wait);
  return () => {
    window.clearTimeout(timer);
    document.removeEventListener('visibilitychange', wait);
  };
}

// From the same set as `components/icons.ts`.

/** `MarkGithubIcon` */
const githubIcon =
  'M6.766 11.328c-2.063-.25-3.516-1.734-3.516-3.656 0-.781.281-1.625.75-2.188-.203-.515-.172-1.609.063-2.062.625-.078 1.468.25 1.968.703.594-.187 1.219-.281 1.985-.281.765 0 1.39.094 1.953.265.484-.437 1.344-.765 1.969-.687.218.422.25 1.515.046 2.047.5.593.766 1.39.766 2.203 0 1.922-1.453 3.375-3.547 3.64.531.344.89 1.094.89 1.954v1.625c0 .468.391.734.86.547C13.781 14.359 16 11.53 16 8.03 16 3.61 12.406 0 7.984 0 3.563 0 0 3.61 0 8.031a7.88 7.88 0 0 0 5.172 7.422c.422.156.828-.125.828-.547v-1.25c-.219.094-.5.156-.75.156-1.031 0-1.64-.562-2.078-1.609-.172-.422-.36-.672-.719-.719-.187-.015-.25-.093-.25-.187 0-.188.313-.328.625-.328.453 0 .844.281 1.25.86.313.452.64.655 1.031.655s.641-.14 1-.5c.266-.265.47-.5.657-.656';

/**
 * The pull request that an approval page's path names, as `owner/repository #7`. Anyone can write a link, so it's only
 * text, and only what GitHub allows as names; else null.
 */
function pullOfPath(path: string): string | null {
  const [page = '', query = ''] = path.split('?');
  const { owner, repo, pr } = readPageContext(query);
  const isPull =
    /^\/collect(-passkey|-totp)?$/.test(page) &&
    /^[A-Za-z0-9_-]{1,100}$/.test(owner) &&
    /^[\w.-]{1,100}$/.test(repo) &&
    /^[1-9]\d{0,9}$/.test(pr);
  return isPull ? `${owner}/${repo} #${pr}` : null;
}

const HOUR_MS = 60 * 60 * 1000;

/**
 * Says by how many hours this device's clock differs from the server's; null if it doesn't, or without an answer. With
 * such a clock a sign-in seems to have ended immediately, or never.
 */
async function wrongClock({ config, now }: Pick<Client, 'config' | 'now'>): Promise<string | null> {
  const init = { method: 'HEAD', cache: 'no-store' } as const;
  const response = await fetch(`${config.origin}/`, init).catch(() => null);
  const difference = now() - Date.parse(response?.headers.get('Date') ?? '');
  const hours = Math.round(Math.abs(difference) / HOUR_MS);
  if (!(hours >= 1)) return null;
  const words = `${hours} ${hours === 1 ? 'hour' : 'hours'} ${difference > 0 ? 'ahead' : 'behind'}`;
  return `This device's clock is ${words}. Set it to the right time, then sign in: your sign-in won't last otherwise.`;
}

/** Shown while sign-in is in progress. */
export function Authenticating() {
  return (
    <Card title="Authenticating" busy>
      <p role="status">Signing you in with GitHub…</p>
    </Card>
  );
}

export function LoginPage() {
  const { search } = useLocation();
  const home = keepQuery('/', search);
  const state = useSessionState();
  if (state.status === 'signed-in') return <Navigate to={home} replace />;
  return <LoginCard returnTo={home} error={state.notice} />;
}
