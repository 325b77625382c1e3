import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type Origins, safePath } from '../../lib/address/safe-url.ts';
import { sentenceOf } from '../../lib/api/api-client.ts';
import { type RecordStore, recordStoreOf } from '../../lib/react/record-store.ts';
import { useClient } from '../../lib/react/use-client.ts';
import { type KeyValueStore, saveAccessToken } from '../../lib/session/local-store.ts';
import { EXPAND_MEMBERSHIPS, type Session, USERS } from '../../lib/session/session.ts';
import { Authenticating, LoginCard } from './login-card.tsx';
import { oauthRedirectUrl, type ProviderInfo, takeProviderInfo } from './start-sign-in.ts';

/** `/oauth`: GitHub sends the person here with a code, or with the reason for a failure. */
export function OauthPage() {
  const complete = useCompleteOnce(useLocation().search);
  const navigate = useNavigate();
  const [failure, setFailure] = useState<SignInOutcome | null>(null);

  useEffect(() => {
    // First of all, removes the code from the address and the history.
    void navigate('/oauth', { replace: true });
    void complete().then((outcome) => {
      if (outcome.error) setFailure(outcome);
      else void navigate(outcome.returnTo, { replace: true });
    });
  }, [complete, navigate]);

  if (!failure) return <Authenticating />;
  return <LoginCard returnTo={failure.returnTo} error={failure.error} />;
}

/** GitHub accepts a code once and React may run an effect twice, so both runs share one outcome. */
function useCompleteOnce(search: string) {
  const client = useClient();
  const [complete] = useState(() => {
    let outcome: Promise<SignInOutcome> | undefined;
    return () => {
      outcome ??= completeSignIn({ ...client, store: recordStoreOf(client) }, search);
      return outcome;
    };
  });
  return complete;
}

type Deps = {
  store: RecordStore;
  local: KeyValueStore;
  session: Session;
  config: Origins;
  now: () => number;
};

/** `error` is null if the person is signed in; `returnTo` is the path of the dashboard to return to. */
type SignInOutcome = { error: string | null; returnTo: string };

const MAX_GITHUB_TEXT = 300;
const NOT_STARTED =
  "missing login info\nThis browser didn't start this sign-in, or finished it already. Sign in again.";
const OTHER_SIGN_IN =
  "state parameters don't match\nThis sign-in isn't the one that this browser started. Sign in again.";

/** Completes the sign-in that the query of `/oauth` names by its `state`. It's consumed even if this fails. */
export async function completeSignIn(deps: Deps, search: string): Promise<SignInOutcome> {
  const query = new URLSearchParams(search);
  const { saved, hasOthers } = takeProviderInfo(deps.local, query.get('state') ?? '', deps.now());
  const returnTo = safePath(saved?.returnTo, deps.config) ?? '/';
  // The browser's history has this address without its query. A signed-in person has nothing to do here.
  if (search === '' && deps.session.getState().status === 'signed-in') return { error: null, returnTo };
  const githubError = query.get('error_description') ?? query.get('error');
  if (githubError) return { error: `GitHub said: ${githubError.slice(0, MAX_GITHUB_TEXT)}`, returnTo };
  if (!saved) return { error: hasOthers ? OTHER_SIGN_IN : NOT_STARTED, returnTo };
  return { error: await exchange(deps, query.get('code') ?? '', saved), returnTo };
}

async function exchange(deps: Deps, code: string, saved: ProviderInfo): Promise<string | null> {
  const { store, local, session, config, now } = deps;
  try {
    const users = store.collection(USERS);
    const options = { expand: EXPAND_MEMBERSHIPS };
    const answer = await users.authWithOAuth2Code(
      'github',
      code,
      saved.codeVerifier,
      oauthRedirectUrl(config),
      {},
      options,
    );
    const accessToken: unknown = answer.meta?.accessToken;
    if (typeof accessToken !== 'string' || accessToken === '')
      return 'Missing auth token on login\nSign in again.';
    saveAccessToken(local, accessToken, now());
    session.enter({ token: answer.token, record: answer.record });
    return null;
  } catch (error) {
    return sentenceOf(error);
  }
}
