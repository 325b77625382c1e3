import { earlyApproval } from './features/approval/early-approval.ts';
import { fillShell, showPull } from './features/approval/fill-shell.ts';
import { isLive, readStored } from './lib/auth-store.ts';
import { sendEarly } from './lib/early.ts';
import { readAccessToken } from './lib/local-store.ts';
import { readPageContext } from './lib/page-context.ts';
import { postInit } from './lib/post-init.ts';
import { refreshRequest } from './lib/refresh-request.ts';
import { authenticatorsOf, readUser } from './lib/user.ts';

/*
 * Runs while the page's code is still loading. It decides nothing: the page makes the same requests as without it, and
 * takes the answers of those that were sent here.
 */
try {
  start();
} catch {
  // The browser denies storage to this site. The page says so.
}

function start(): void {
  const { location, localStorage } = window;
  const { token, record } = readStored(localStorage);
  const accessToken = readAccessToken(localStorage, Date.now());
  if (!isLive(token) || !record || !accessToken) {
    fillShell(document, null);
    return;
  }
  const refresh = refreshRequest(token);
  void sendEarly(window, refresh.path, refresh.init);
  const context = readPageContext(location.search);
  const user = readUser(record);
  const own = authenticatorsOf(user, context.ownerID);
  const call = earlyApproval(location.pathname, context, { own, accessToken });
  if (call) {
    const init = postInit(call.body);
    const headers = { ...init.headers, Authorization: token };
    void sendEarly(window, call.path, { ...init, headers }).then((answer) => showPull(document, answer));
  }
  fillShell(document, { user, context });
}
