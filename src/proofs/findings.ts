/** A finding of a verification, in plain words. */
export type Finding = {
  /**
   * `proved` follows from signatures and hashes alone. `claimed` is only what the server says. `failed` means that
   * something doesn't fit, so nothing may be taken from it.
   */
  status: 'proved' | 'claimed' | 'failed';
  /** The subject, for example `signature` or `log`. */
  about: string;
  /** One or two full sentences. */
  text: string;
  /** The number of the receipt in a bundle, from 1. */
  receipt?: number;
};

/** Valid if nothing failed and there was something to verify. */
export type Verification = { valid: boolean; findings: Finding[] };

export const proved = (about: string, text: string): Finding => ({ status: 'proved', about, text });
export const claimed = (about: string, text: string): Finding => ({ status: 'claimed', about, text });
export const failed = (about: string, text: string): Finding => ({ status: 'failed', about, text });

/** Tells whether a receipt, or one of a bundle, is of a denial or of a rejected deployment; undefined if none is. */
export const refusalIn = ({ findings }: Pick<Verification, 'findings'>) =>
  (['denial', 'rejection'] as const).find((refusal) => findings.some(({ about }) => about === refusal));

/** The three kinds of finding about one subject. */
export const findingsAbout = (about: string) => ({
  proved: (text: string) => proved(about, text),
  claimed: (text: string) => claimed(about, text),
  failed: (text: string) => failed(about, text),
});

export const toVerification = (findings: Finding[]): Verification => ({
  valid:
    findings.some(({ status }) => status === 'proved') && findings.every(({ status }) => status !== 'failed'),
  findings,
});
