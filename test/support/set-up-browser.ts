import { type IncomingHttpHeaders, request } from 'node:http';

export type SetUpAnswer = { status: number; headers: IncomingHttpHeaders; text: string };

/** A browser on the set-up pages: it keeps its cookie, and sends `Origin` with forms. */
export function setUpBrowser(address: string) {
  const { origin, host, hostname, port, pathname } = new URL(address);
  let cookie = '';

  const send = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    new Promise<SetUpAnswer>((resolve, reject) => {
      const all = { host, ...(cookie && { cookie }), ...headers };
      const sent = request({ hostname, port, method, path, headers: all }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.once('end', () => {
          const [first = ''] = answer.headers['set-cookie'] ?? [];
          if (first) cookie = first.split(';')[0] ?? '';
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        });
      });
      sent.once('error', reject).end(body);
    });

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
