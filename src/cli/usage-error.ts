/** The program was called in a wrong way. The message says what to do. */
export class UsageError extends Error {}

/** The file to verify couldn't be read, so it isn't valid. The message is one sentence. */
export class UnreadableError extends Error {}

/** Nothing could be verified with what was given. The message says what to give. */
export class UncheckedError extends UsageError {}
