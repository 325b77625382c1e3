/** A signed statement with its proof. `assertion` and `publicKey` are null for a one-time code. */
export type SignedProof = {
  statement: unknown;
  assertion: unknown;
  publicKey: string | null;
  /** What was signed if it approved several commits at once: null or absent if the statement itself was. */
  batch?: unknown;
};

/** What an entry of the log commits to by its hash. Without a batch, it's as it was before there were any. */
export const signedProof = ({ statement, assertion, publicKey, batch }: SignedProof) =>
  batch === undefined || batch === null
    ? { statement, assertion, publicKey }
    : { statement, assertion, publicKey, batch };
