/** What the product itself says by the `info` parameter. */
const KNOWN: readonly string[] = [
  'Thanks for connecting to GitHub! Please refresh in a few minutes to see your repositories',
  'Connect your first repository with GitHub',
  'Successfully set image',
  'Successfully edited authenticator',
];

/** The parameter, where it is word for word something of ours. Anybody can write it; nothing else is shown. */
export const knownInfo = (info: string): string | null => (KNOWN.includes(info) ? info : null);
