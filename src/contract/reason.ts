/** The most characters of a reason. */
export const LONGEST_REASON = 500;

/** A character that breaks the line or changes the direction of a text, or half of one. */
const BREAKING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/**
 * An unseen character, except those that emoji and some scripts need; those too if there are more than they need. As many
 * marks on one letter as no script needs cover the lines around it.
 */
const UNSEEN =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}{3}|\p{M}{9}/u;
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Says why a text, without the spaces around it, can't be a reason: a reason is plain text in one line, in which everybody
 * sees what is there. Null if it can be one.
 */
export function whyNoReason(text: string): string | null {
  if (text === '' || Array.from(text).length > LONGEST_REASON)
    return `Say why, in 1 to ${LONGEST_REASON} characters.`;
  if (BREAKING.test(text) || UNSEEN.test(text) || !SEEN.test(text))
    return "Write the reason without line breaks and without characters that can't be seen.";
  return null;
}
