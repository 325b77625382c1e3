import { TITLE } from './features/approval/approval-target.ts';
import { beginApproval } from './features/approval/begin-approval.ts';
import { type Client, createClient } from './lib/session/client.ts';

// This script imports no React, so it runs long before the page's code is there: it sends the first requests early.
const client = tryCreateClient();
const { pathname, search } = window.location;
const refreshed = client?.session.refresh();
const begun = client && beginApproval(client, pathname, search);
void begun?.title.then(showTitle);
void import('./app/start.tsx').then(({ start }) => start(client, { refreshed, begun }));

/** Null if the browser denies storage to this site. */
function tryCreateClient(): Client | null {
  try {
    return createClient(window);
  } catch {
    return null;
  }
}

/** Replaces the line that says that the page is loading with the page's title and the pull request's, if the page isn't there yet. */
function showTitle(title: string | undefined): void {
  const line = document.querySelector('#root > .initializing > [role="status"]');
  if (!line || !title) return;
  const page = Object.assign(document.createElement('h1'), { textContent: TITLE });
  const pull = Object.assign(document.createElement('h2'), { dir: 'auto', textContent: title });
  line.replaceWith(page, pull);
}
