import type { Client } from '../../lib/client.ts';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Says by how many hours this device's clock differs from the server's; null if it doesn't, or without an answer. With
 * such a clock a sign-in seems to be over at once, or never.
 */
export async function wrongClock({ config, now }: Pick<Client, 'config' | 'now'>): Promise<string | null> {
  const init = { method: 'HEAD', cache: 'no-store' } as const;
  const response = await fetch(`${config.origin}/`, init).catch(() => null);
  const difference = now() - Date.parse(response?.headers.get('Date') ?? '');
  const hours = Math.round(Math.abs(difference) / HOUR_MS);
  if (!(hours >= 1)) return null;
  const words = `${hours} ${hours === 1 ? 'hour' : 'hours'} ${difference > 0 ? 'ahead' : 'behind'}`;
  return `This device's clock is ${words}. Set it to the right time, then sign in: your sign-in won't last otherwise.`;
}
