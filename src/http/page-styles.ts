import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the content security policy allows in addition to our own style sheets: the styles that the build put into the page, by
 * their hash (https://www.w3.org/TR/CSP3/#grammardef-hash-source). Empty if there are none.
 */
export function pageStyleSources(dashboardDir: string): string[] {
  const page = readFileSync(join(dashboardDir, 'index.html'), 'utf8');
  const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text = '']) => text);
  return styles.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
