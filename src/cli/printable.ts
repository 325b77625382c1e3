/** Names come from others: none may move the cursor or turn the direction of a line. */
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');
