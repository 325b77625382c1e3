const TIMEOUT_MS = 2_000;

/** Whether the record store at `url` says that it's healthy. False if it doesn't answer in time. */
export async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) })).status === 200;
  } catch {
    return false;
  }
}
