/** The program was called in a wrong way. The message says what to do. */
export class UsageError extends Error {}

/** Something that's needed to verify couldn't be read, so nothing is valid. The message is one sentence. */
export class UnreadableError extends Error {}
