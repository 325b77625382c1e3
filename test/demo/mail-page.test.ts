import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalGitHub, startLocalGitHub } from '../../demo/local-github.ts';
import { type MailSink, startMailSink } from '../../demo/mail-sink.ts';
import { createSmtpMailer } from '../../src/adapters/mail/smtp.ts';
import { APP_KEY } from '../support/app-key.ts';
import { anImage } from '../support/fakes/examples.ts';

const HOSTILE = '<img src=x onerror=alert(1)>"\'&';

let sink: MailSink;
let github: LocalGitHub;
beforeAll(async () => {
  sink = await startMailSink();
  github = await startLocalGitHub({
    privateKey: APP_KEY,
    port: 0,
    publicUrl: 'http://localhost:1',
    mails: sink.mails,
  });
});
afterAll(async () => {
  await github?.close();
  await sink?.close();
});

const open = async (path = '/_local/mail') => {
  const response = await fetch(`${github.origin}${path}`, { headers: { accept: 'text/html' } });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const send = (change: { to?: string; subject?: string; text?: string; withImage?: boolean } = {}) =>
  createSmtpMailer({ url: sink.url, from: 'otp-guard@example.org', origin: 'http://localhost:1' }).send({
    to: change.to ?? 'mona@example.org',
    subject: change.subject ?? 'Your code',
    parts: [change.text ?? 'Your code is 123456.'],
    org: null,
    unsubscribeUrl: null,
    image: change.withImage ? anImage() : null,
  });

describe('the page of the mail that the demo catches', () => {
  it('shows each mail as soon as it is sent, the newest first', async () => {
    expect((await open()).text).toContain('No mail yet.');
    await send({ to: 'mona@example.org', subject: 'First', text: 'One\nand two' });
    await send({ to: 'モナ@bücher.example', subject: 'Second', text: '鍵 مفتاح 🦊', withImage: true });
    const { text } = await open();
    expect(text).toMatch(
      /Second[\s\S]*モナ@bücher\.example[\s\S]*鍵 مفتاح 🦊[\s\S]*First[\s\S]*mona@example\.org/,
    );
    expect(text).toContain('One\nand two');
    expect(text).not.toContain('No mail yet.');
    expect(text.match(/<img /g)).toHaveLength(1);
    const src = /<img src="([^"]+)" width="96" height="96" alt="Your security image">/.exec(text)?.[1];
    const { headers } = await open(src);
    expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
      'image/png',
      'nosniff',
    ]);
    for (const none of [1, 999, 'x', -1]) expect((await open(`/_local/mail/${none}/image`)).status).toBe(404);
  });

  it('shows hostile content of a mail as harmless text', async () => {
    await send({ subject: HOSTILE, text: `${HOSTILE}</pre><script>alert(1)</script>` });
    const { text, headers } = await open();
    expect(text).not.toMatch(/<img src=x|<script>|<\/pre><s/);
    expect(text.match(/&lt;img src=x onerror=alert\(1\)&gt;&quot;&#39;&amp;/g)).toHaveLength(2);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*img-src 'self'/);
  });

  it('shows a mail as a mail program does, with its image and without scripts', async () => {
    await send({ subject: 'Third', text: HOSTILE, withImage: true });
    const [, path = ''] = /href="(\/_local\/mail\/\d+\/html)"/.exec((await open()).text) ?? [];
    const { text, headers } = await open(path);
    expect(text).toContain(`<img src="${path.replace('html', 'image')}"`);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';(?!.*script)/);
    expect((await open('/_local/mail/999/html')).status).toBe(404);
  });

  it('cannot be read by a page of another origin', async () => {
    expect((await open()).headers.get('access-control-allow-origin')).toBeNull();
    expect((await open('/_local/mail/2/image')).headers.get('access-control-allow-origin')).toBeNull();
    expect((await open('/users/mona')).headers.get('access-control-allow-origin')).toBe('*');
  });
});
