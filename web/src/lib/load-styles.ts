/**
 * Adds the style sheet of everything that isn't part of the entry, and resolves when it's there. The server links it in
 * the head of pages that begin with such parts.
 */
export async function loadStyles(page: Document): Promise<void> {
  const name = page.querySelector<HTMLMetaElement>('meta[name="otp-guard:styles"]')?.content;
  const href = `/assets/${name}.css`;
  const link = page.querySelector<HTMLLinkElement>(`link[href="${href}"]`) ?? addLink(page, href);
  if (link.sheet) return;
  await new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      // The next part tries again.
      link.remove();
      reject(new Error('The style sheet did not load.'));
    });
  });
}

function addLink(page: Document, href: string): HTMLLinkElement {
  const link = Object.assign(page.createElement('link'), { rel: 'stylesheet', href });
  page.head.append(link);
  return link;
}
