const ANSWER_MS = 2_000;

/** Whether a record store at `url` answers that it is well; no answer in time is none. */
export async function isHealthy(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(ANSWER_MS) });
    return answer.ok;
  } catch {
    return false;
  }
}
