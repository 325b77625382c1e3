const LONGEST = 120;
const BREAK = '\u200b';

/**
 * A title that a stranger chose, fit for an e-mail: one line without control
 * characters and without marks that turn the direction of text. What mail
 * programs would link gets an invisible break, and so does our own address.
 */
export function plainTitle(title: string): string {
  const line = title
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    // Other invisible signs than those two are in no language's words.
    .replace(/(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu, '')
    .trim();
  const letters = Array.from(line);
  const cut = letters.length > LONGEST ? `${letters.slice(0, LONGEST).join('')}…` : line;
  return cut.replace(/[:@.\u3002\uff0e\uff61](?=\S)/gu, (sign) => sign + BREAK);
}
