/** A character that has no shape of its own or changes the direction of a text, and every space but the usual one. */
export const UNSEEN = /([\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs})/u;

/** A character that shows others in another order. */
export const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/** A text in which nobody sees what is there. Emoji have at most two characters in a row that can't be seen. */
export const HIDING = /[\u202a-\u202e\u2066-\u2069]|\p{Default_Ignorable_Code_Point}{3}/u;
