import { createSendRequest } from '../../send-request.ts';

const TIMEOUT_MS = 2_000;
const send = createSendRequest({ answerMs: TIMEOUT_MS });

/** Whether the record store at `url` says that it's healthy. False if it doesn't answer in time. */
export async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await send(`${url}/api/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) })).status === 200;
  } catch {
    return false;
  }
}
