/** Generous: it costs nothing when the condition comes true. */
const PATIENCE_MS = 30_000;

/** Waits until `read` finds something, and returns it. */
export async function until<T>(what: string, read: () => T | undefined | false): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const found = read();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`It did not happen within ${PATIENCE_MS / 1000} seconds: ${what}`);
}
