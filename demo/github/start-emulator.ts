import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createEmulator, type Emulator, type SeedConfig } from 'emulate';

const MOST_TRIES = 5;

/** A port of 127.0.0.1 that is free now. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

export type RunningEmulator = { url: string; privateKey: string; close(): Promise<void> };

async function startOnce(
  baseUrl: string,
  seed: SeedConfig,
  givenKey: string | undefined,
): Promise<RunningEmulator> {
  // With a base URL the emulator doesn't say which port it chose, so we choose one.
  const port = await freePort();
  const emulator: Emulator = await createEmulator({ service: 'github', port, baseUrl, seed });
  const made = emulator.generatedSecrets.find((secret) => secret.kind === 'github.app_private_key');
  const privateKey = givenKey ?? made?.value;
  if (!privateKey) throw new Error('The GitHub emulator made no private key for the App.');
  return { url: `http://127.0.0.1:${port}`, privateKey, close: () => emulator.close() };
}

/** Starts the emulator on loopback. Every URL in its responses begins with `baseUrl`. `givenKey` is the App's key in `seed`. */
export async function startEmulator(
  baseUrl: string,
  seed: SeedConfig,
  givenKey?: string,
): Promise<RunningEmulator> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOnce(baseUrl, seed, givenKey);
    } catch (error) {
      // Another process may have taken the free port in the meantime.
      const isTaken = (error as Error & { code?: string }).code === 'EADDRINUSE';
      if (!isTaken || tries === MOST_TRIES) throw error;
    }
  }
}
