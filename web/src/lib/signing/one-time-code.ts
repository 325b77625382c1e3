/** The state of the code field while a person types. */
export type CodeState = 'unset' | 'valid' | 'invalid';

export const CODE_DIGITS = 6;
// Long enough for a code pasted twice: the field shows extra digits as invalid instead of dropping them.
const MAX_DIGITS = 12;

/** Keeps only the digits of typed or pasted text: apps show codes as `123 456`, some keyboards type wide digits. */
export function toDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^0-9]/g, '')
    .slice(0, MAX_DIGITS);
}

/**
 * `unset` below six digits, `invalid` above. For exactly six digits, `check` decides; without it only the server knows
 * the secret, so the code stays `unset`.
 */
export function codeState(code: string, check?: (code: string) => boolean): CodeState {
  if (code.length > CODE_DIGITS) return 'invalid';
  if (code.length < CODE_DIGITS || !check) return 'unset';
  return check(code) ? 'valid' : 'invalid';
}

/** Tells whether the code can be sent to the server. */
export const canSubmitCode = (code: string, state: CodeState) =>
  code.length === CODE_DIGITS && state !== 'invalid';
