import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { renderMail } from '../../../../src/adapters/mail/render.ts';
import type { MailPart } from '../../../../src/notices/ports.ts';
import { findCheckpoints } from '../../../../src/proofs/checkpoint.ts';

const origin = 'https://guard.example.org';
type Change = Partial<Parameters<typeof renderMail>[0]>;
const render = (parts: MailPart[], change: Change = {}) =>
  renderMail({
    subject: 'It',
    parts,
    org: 'octo-org',
    unsubscribeUrl: null,
    imageId: null,
    origin,
    ...change,
  });
const bodyOf = (html: string) => /<body>\n([\s\S]*)\n<\/body>/.exec(html)?.[1] ?? '';

const NOTE = `guard.example.org/log/9\n1\n${'A'.repeat(43)}=\n\n— guard.example.org/log/9 BBBBBBBB\n`;
const PULL: MailPart[] = [
  { role: 'quiet', text: 'octo-org/hello#7' },
  { role: 'heading', text: 'Add it' },
  'A rule names you.',
  { role: 'button', text: 'Review and approve', url: `${origin}/collect?a=1&b=2` },
  { role: 'link', text: '3 more', url: `${origin}/` },
];

describe('a message', () => {
  it('has the same parts as text and as HTML', () => {
    const unsubscribeUrl = `${origin}/unsubscribe?x`;
    const { text, html } = render(PULL, { unsubscribeUrl });
    expect(text).toBe(
      [
        'octo-org/hello#7\n\nAdd it\n\nA rule names you.',
        `Review and approve:\n${origin}/collect?a=1&b=2`,
        `3 more:\n${origin}/`,
        `-- \nOTP Guard for octo-org · Change what you get: ${origin}/email`,
      ].join('\n\n'),
    );
    expect(bodyOf(html).replace(/\n+/g, '\n')).toBe(
      [
        '<div class="card">',
        '<p class="quiet"><bdi>octo-org/hello#7</bdi></p>',
        '<h1><bdi>Add it</bdi></h1>',
        '<p><bdi>A rule names you.</bdi></p>',
        `<p><a class="button" href="${origin}/collect?a=1&amp;b=2">Review and approve</a></p>`,
        `<p><a class="link" href="${origin}/">3 more</a></p>`,
        '</div>',
        `<p class="footer"><bdi>OTP Guard for octo-org</bdi> · <a href="${origin}/email">Change what you get</a></p>`,
      ].join('\n'),
    );
  });

  it('offers no choice that the person doesn’t have, and names no organization that it isn’t about', () => {
    const { text, html } = render(['Hello.'], { org: null });
    expect(text).toBe('Hello.\n\n-- \nOTP Guard');
    expect(html).not.toContain('href');
  });

  it('ends its card with a checkpoint that an audit finds in the text', () => {
    const { text, html } = render([
      'Hello.',
      { role: 'checkpoint', text: 'Keep this:', note: NOTE.trimEnd() },
    ]);
    expect(findCheckpoints(text)).toEqual([NOTE]);
    expect(findCheckpoints(text.replaceAll('\n', '\r\n'))).toEqual([NOTE]);
    expect(html).toContain(`<pre>${NOTE.trimEnd()}</pre>`);
  });

  it('shows the image first', () => {
    const { html } = render(['Hello'], { imageId: 'x@security-image' });
    expect(bodyOf(html)).toMatch(
      /^<div class="card">\n<p><img src="cid:x@security-image" width="64" height="64" alt="Your security image"><\/p>\n/,
    );
    expect(render(['Hello']).html).not.toContain('<img');
  });

  it.each(
    [
      ['<script>alert(1)</script>', '<img src=https://evil.example/x>', '"><svg onload=alert(1)>'],
      ['</body></html>', '<!--', "' onmouseover='alert(1)", '<style>*{display:none}</style>', '&lt;b&gt;'],
      [`${origin}/"><script>alert(1)</script>`, 'https://evil.example/', 'javascript:alert(1)'],
    ].flat(),
  )('shows %s as text, in each of its parts', (words) => {
    const roles = ['heading', 'quiet'] as const;
    const checkpoint = { role: 'checkpoint', text: words, note: words } as const;
    const link = { role: 'button', text: words, url: `${origin}/x?"><script>alert(1)</script>` } as const;
    const parts = [words, ...roles.map((role) => ({ role, text: words })), checkpoint, link];
    const { html } = render(parts, { subject: words, org: words });
    const allowed =
      /<\/?(html|head|meta|title|body|p|a|h1|bdi|pre|div)( [^<>]*)?>|<!doctype html>|<style>[^<]*<\/style>/g;
    expect(html.replaceAll(allowed, '')).not.toMatch(/[<>]/);
    expect(html).not.toMatch(/<[^>]*\son\w+=/);
    const decode: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
    const shown = bodyOf(html)
      .replaceAll(allowed, '')
      .replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => decode[name] ?? '');
    expect(shown.split(words)).toHaveLength(8);
    expect(html.match(/href="[^"]*"/g)).toEqual([
      `href="${origin}/x?&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"`,
    ]);
  });

  it.each(
    [
      ['https://evil.example/', `${origin}.evil.example/`, `${origin}@evil.example/`, `${origin}:8443/`],
      ['http://guard.example.org/', 'javascript:alert(1)', 'data:text/html,x', '//guard.example.org/', ''],
    ].flat(),
  )('has no button to %s', (url) => {
    const { text, html } = render([{ role: 'button', text: 'Review', url }, 'Bye.']);
    expect(text).toMatch(/^Bye\./);
    expect(html).not.toMatch(/href|Review/);
  });

  it('loads nothing', () => {
    const { html } = render(PULL, { imageId: 'x@y', unsubscribeUrl: `${origin}/unsubscribe` });
    expect(html).not.toMatch(/src="(?!cid:)|<link|url\(|@import|<script/);
  });

  it('has the dashboard’s colors, each in the light and the dark form of the same name', () => {
    const tokens = readFileSync('web/src/styles/tokens.css', 'utf8');
    const pairs = [...tokens.matchAll(/light-dark\((#\w{6}), (#\w{6})\)/g)];
    const [light = '', dark = ''] = render(PULL).html.split('@media (prefers-color-scheme: dark)');
    const colorsOf = (css: string) => [...css.matchAll(/#[0-9a-f]{6}/g)].map(([color]) => color);
    const used = [...new Set(colorsOf(light))].filter((color) => color !== '#ffffff');
    expect(used.length).toBeGreaterThan(4);
    for (const color of used) {
      const darks = pairs.filter(([, one]) => one === color).map(([, , other]) => other);
      expect([color, darks.some((other) => colorsOf(dark).includes(other ?? ''))]).toEqual([color, true]);
    }
  });

  it('drops control characters from both forms, and line ends from the subject', () => {
    const { subject, text, html } = render(['a\0b\u0007c\u001b[31md\u007f\u0085e\tf\ng\r\nh\ri'], {
      subject: 'a\r\nBcc: b\0',
    });
    expect(text).toContain('abc[31mde\tf\ng\nh\ni');
    expect(html).toContain('abc[31mde\tf\ng\nh\ni');
    expect(subject).toBe('a Bcc: b');
  });
});
