/**
 * The operand of PocketBase's `~` that finds exactly this text, in any case: `%` and `_` aren't wildcards. A filter must
 * take it as a value, never as a part of its text.
 */
export const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
