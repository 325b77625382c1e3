/** A sentence about why the product cannot start, for the person who starts it. */
export class StartError extends Error {}
