import { send as sendRequest } from './send.ts';

/** A browser on the set-up pages: it keeps its cookie, and sends `Origin` with forms. */
export function setUpBrowser(address: string) {
  const { origin, host, pathname } = new URL(address);
  let cookie = '';

  const send = async (method: string, path: string, headers: Record<string, string> = {}, body = '') => {
    const all = { host, ...(cookie && { cookie }), ...headers };
    const sent = { method, path, headers: all, ...(body && { body }) };
    const { status, text, headers: received } = await sendRequest(origin, sent);
    const [first] = received.getSetCookie();
    if (first) cookie = first.split(';')[0] ?? '';
    return { status, text, headers: Object.fromEntries(received) };
  };

  const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    send(
      'POST',
      '/set-up/register',
      { origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      new URLSearchParams(fields).toString(),
    );

  return {
    send,
    get: (path: string, headers?: Record<string, string>) => send('GET', path, headers),
    open: () => send('GET', pathname),
    post,

    /** Presses the button; returns what the browser would send to GitHub. */
    async register(fields: Record<string, string> = { account: 'personal' }) {
      const { text } = await post(fields);
      const action = /action="(http[^"]+)"/.exec(text)?.[1] ?? '';
      const manifest = /name="manifest" value="([^"]+)"/.exec(text)?.[1] ?? '';
      return {
        action,
        state: new URL(action).searchParams.get('state') ?? '',
        manifest: JSON.parse(manifest.replaceAll('&quot;', '"').replaceAll('&amp;', '&')),
      };
    },
  };
}
