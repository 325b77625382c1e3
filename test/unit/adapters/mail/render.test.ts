import { describe, expect, it } from '@jest/globals';
import { renderMail } from '../../../../src/adapters/mail/render.ts';

const origin = 'https://guard.example.org';
const render = (text: string, change: { subject?: string; imageId?: string | null } = {}) =>
  renderMail({ subject: 'Your code', text, imageId: null, origin, ...change });
const bodyOf = (text: string) => /<body[^>]*>\n([\s\S]*)\n<\/body>/.exec(render(text).html)?.[1];
const linksIn = (text: string) =>
  [...(bodyOf(text) ?? '').matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href, words]) => {
    expect(words).toBe(href);
    return href;
  });

describe('the HTML of a message', () => {
  it('has the paragraphs and the line breaks of the text', () => {
    expect(bodyOf('Hello mona,\n\nyour code is\n123456.\n\n\nBye')).toBe(
      '<p dir="auto">Hello mona,</p>\n<p dir="auto">your code is<br>\n123456.</p>\n<p dir="auto">Bye</p>',
    );
  });

  it.each(['\r\n', '\r', '\n'])('accepts every kind of line end (%j)', (end) => {
    expect(bodyOf(`a${end}${end}b`)).toBe('<p dir="auto">a</p>\n<p dir="auto">b</p>');
  });

  it('cuts a long address where it is shown, and only there', () => {
    const address = `${origin}/collect?${'a'.repeat(60)}`;
    expect(bodyOf(`Look: ${address}.`)).toBe(
      `<p dir="auto">Look: <a href="${address}">${address.slice(0, 60)}…</a>.</p>`,
    );
    expect(render(address).text).toBe(address);
  });

  it('shows the image first', () => {
    const { html } = render('Hello', { imageId: 'x@security-image' });
    expect(html).toMatch(
      /<body[^>]*>\n<p><img src="cid:x@security-image" width="96" height="96" alt="Your security image"><\/p>\n<p dir="auto">Hello/,
    );
    expect(render('Hello').html).not.toContain('<img');
  });

  it.each(
    [
      ['<script>alert(1)</script>', '<img src=https://evil.example/x>', '"><svg onload=alert(1)>'],
      ['</body></html>', '<!--', "' onmouseover='alert(1)", '<style>*{display:none}</style>', '&lt;b&gt;'],
      [`${origin}/"><script>alert(1)</script>`, `${origin}/'onclick='x`],
      [`${origin}.evil"><script>alert(1)</script>`],
    ].flat(),
  )('shows %s as text', (text) => {
    const { html } = render(`Your key ${text} was added.`, { subject: text });
    const allowed = /<\/?(html|head|meta|title|body|p|br|a)( [^<>]*)?>|<!doctype html>/g;
    expect(html.replaceAll(allowed, '')).not.toMatch(/[<>]/);
    expect(html).not.toMatch(/<[^>]*\son\w+=/);
    const words = html
      .replace(/^[\s\S]*<body[^>]*>\n/, '')
      .replaceAll(allowed, '')
      .replace(
        /&(lt|gt|quot|#39);/g,
        (_, name) => ({ lt: '<', gt: '>', quot: '"', '#39': "'" })[name as 'lt'],
      )
      .replaceAll('&amp;', '&');
    expect(words.trim()).toBe(`Your key ${text} was added.`);
  });

  it.each<[text: string, link: string]>([
    [`Open ${origin} now`, origin],
    [`Open ${origin}/authenticators.`, `${origin}/authenticators`],
    [`(${origin}/x)`, ''],
    [`${origin}/a?b=1&c=2#d!`, `${origin}/a?b=1&amp;c=2#d`],
    [`first\n${origin}/x\nlast`, `${origin}/x`],
    [`${origin}?x, and`, `${origin}?x`],
  ])('links to the product itself: %j', (text, link) => {
    expect(linksIn(text)).toEqual(link ? [link] : []);
  });

  it.each(
    [
      ['https://evil.example/', `${origin}.evil.example/`, `${origin}@evil.example/`, `${origin}:8443/`],
      [`${origin}\\@evil.example/`, 'http://guard.example.org/', 'HTTPS://GUARD.EXAMPLE.ORG/'],
      ['javascript:alert(1)', 'data:text/html,x', '//guard.example.org/', 'mailto:eve@evil.example'],
      [`x${origin}/`],
    ].flat(),
  )('does not link to %s', (text) => {
    expect(linksIn(`See ${text} now`)).toEqual([]);
    expect(render(text).html).not.toContain('href');
  });

  it('sets no color, so that it is readable on dark and light, and loads nothing', () => {
    const { html } = render('Hello', { imageId: 'x@y' });
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).not.toMatch(/background|[^-]color:|#[0-9a-f]{3}/i);
    expect(html).not.toMatch(/https?:|src="(?!cid:)|<link|<style|url\(/);
  });

  it('drops control characters from both forms', () => {
    const { text, html } = render('a\0b\u0007c\u001b[31md\u007f\u0085e\tf\ng');
    expect(text).toBe('abc[31mde\tf\ng');
    expect(html).toContain('abc[31mde\tf<br>\ng');
  });
});
