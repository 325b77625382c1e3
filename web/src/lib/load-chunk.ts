const KEY = 'reloadedBuilds';

/** The script that the page began with. Its name has a hash, so each build has another one. */
const ENTRY = import.meta.url.replace(/.*\//, '');

type Deps = {
  fetch: typeof fetch;
  tab: Pick<Storage, 'getItem' | 'setItem'>;
  reload: () => void;
  entry: string;
};

const browser = (): Deps => ({
  fetch: (input, init) => window.fetch(input, init),
  tab: window.sessionStorage,
  reload: () => window.location.reload(),
  entry: ENTRY,
});

/**
 * Loads a chunk with its styles; the build puts it around every `import()`. If a deploy replaced the chunk, the page
 * reloads automatically, and the promise stays pending. Rejects with the first error if that can't help.
 */
export async function loadChunk<Chunk>(
  load: () => Promise<Chunk>,
  styles: string[] = [],
  deps = browser(),
): Promise<Chunk> {
  try {
    const [chunk] = await Promise.all([load(), ...styles.map(addStyles)]);
    return chunk;
  } catch (error) {
    if (await reloadAfterDeploy(deps).catch(() => false)) return new Promise<never>(() => undefined);
    throw error;
  }
}

/** Links a file of styles in the page, if the page doesn't have it yet. Resolves when the styles apply. */
async function addStyles(file: string): Promise<void> {
  const href = `/${file}`;
  if (document.querySelector<HTMLLinkElement>(`link[href="${href}"]`)?.sheet) return;
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  document.head.append(link);
  await new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => reject(new Error(`${file} didn't load.`));
  });
}

/** Once per tab and build, so that two servers with different builds can't send the page back and forth. */
async function reloadAfterDeploy({ fetch, tab, reload, entry }: Deps): Promise<boolean> {
  const reloaded = tab.getItem(KEY) ?? '';
  if (reloaded.includes(entry)) return false;
  const page = await fetch('/');
  if (!page.ok || (await page.text()).includes(entry)) return false;
  tab.setItem(KEY, `${reloaded} ${entry}`);
  reload();
  return true;
}
