/** What the field of a one-time code says while a person types. */
export type CodeState = 'unset' | 'valid' | 'invalid';

export const CODE_DIGITS = 6;
// Room for a code that was pasted twice: too many digits are shown and refused, not swallowed.
const MOST_DIGITS = 12;

/** The digits of what was typed or pasted: apps show codes as `123 456`, some keyboards type wide digits. */
export function toDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^0-9]/g, '')
    .slice(0, MOST_DIGITS);
}

/**
 * `unset` below six digits, `invalid` above; six digits are what `check` says of them. Without a `check` nobody but
 * the server knows, and the field claims nothing.
 */
export function codeState(code: string, check?: (code: string) => boolean): CodeState {
  if (code.length > CODE_DIGITS) return 'invalid';
  if (code.length < CODE_DIGITS || !check) return 'unset';
  return check(code) ? 'valid' : 'invalid';
}

/** Whether the code can go to the server as it is. */
export const isWhole = (code: string, state: CodeState) => code.length === CODE_DIGITS && state !== 'invalid';
