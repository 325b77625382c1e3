/** A year: the longest that all browsers keep a cookie is a little more. */
const MAX_AGE_S = 365 * 24 * 60 * 60;

/** Makes the footer's theme switch work. The server reads the cookie and writes the theme into the next page. */
export function startThemeSwitch(page: Document): void {
  const { dataset } = page.documentElement;
  const select = page.querySelector<HTMLSelectElement>('#theme');
  if (!select) return;
  select.value = dataset.theme ?? 'system';
  select.addEventListener('change', () => {
    dataset.theme = select.value;
    // `lax`, because people come from their pull request, which is on another site.
    page.cookie = `theme=${select.value}; path=/; max-age=${MAX_AGE_S}; samesite=lax`;
  });
}
