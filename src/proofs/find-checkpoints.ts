/** More isn't read: a check run's summary has at most 65,535 characters. */
const LONGEST = 1_000_000;
const CHECKPOINT = /^\S+\/log\/\d+\n\d+\n[A-Za-z0-9+/]{43}=\n\n(?:— \S+ [A-Za-z0-9+/=]+\n)+/gmu;

/**
 * The checkpoints in a text around them: a check run's summary, an e-mail, or a file that an editor saved with other
 * ends of lines. Nothing is verified.
 */
export function findCheckpoints(text: string): string[] {
  const lines = `${text.slice(0, LONGEST).replaceAll('\r\n', '\n')}\n`;
  return Array.from(lines.matchAll(CHECKPOINT), ([found]) => found);
}
