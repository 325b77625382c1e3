/** A sentence about why the product cannot start, for the person who starts it. */
export class StartError extends Error {}

/** The record store's own files are of no use any more; another start finds them the same. */
export class DamagedStore extends StartError {}
