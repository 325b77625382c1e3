/** Why the product can't start: one sentence for the operator, shown without a stack. */
export class StartError extends Error {}

/** The record store's files are damaged, so starting again can't help. */
export class DamagedStore extends StartError {}
