const CHOOSE = 'Choose one of yours.';
const NO_ORGANIZATION = `This address doesn't name an organization.\n${CHOOSE}`;
const NO_AUTHENTICATOR =
  "There's no such authenticator, or it isn't one of yours.\nIt may have been deleted. Your list has those that are left.";
const ENDED =
  'Your sign-in has ended. It lasts eight hours, or until you log out.\nSign in again to continue.';

/** An address from which something was cut off, or a call that it made. */
const INCOMPLETE =
  'This link is incomplete.\nOpen it again where you found it: a check on GitHub has it under Details.';

/** What calls answer in fixed words, for clients, and pages say to people. */
const SENTENCES: Record<string, string> = {
  'missing auth token': ENDED,
  'missing model or missing auth token': ENDED,
  'missing authenticator': 'You have no authenticator in this organization.\nRegister one, then approve.',
  'Missing organization': NO_ORGANIZATION,
  'missing organization id': NO_ORGANIZATION,
  'No owner ID set, how did you get to this page?': NO_ORGANIZATION,
  'No org ID, this is a bug':
    "You aren't a member of this organization, or OTP Guard isn't installed there.\nChoose one of yours, or ask an owner of it.",
  'Invalid Authenticator ID': NO_AUTHENTICATOR,
  'invalid authenticator id': NO_AUTHENTICATOR,
  'invalid authenticator type': NO_AUTHENTICATOR,
};

/** What to do about texts that say only what happened. */
const ADVICE: Record<string, string> = {
  'Missing username': 'Log out, then sign in again.',
  'Missing org name or ID': CHOOSE,
  'Missing installation ID': CHOOSE,
  'Missing target': 'Choose an organization to open its page.',
  'missing login info': "This browser didn't start this sign-in, or finished it already. Sign in again.",
  "state parameters don't match": "This sign-in isn't the one that this browser started. Sign in again.",
  'Missing auth token on login': 'Sign in again.',
};

/** What happened, and on a second line what to do, for the fixed words of a call (`FIXED` in `banner.tsx`). */
export function personSentence(text: string): string {
  const advice = ADVICE[text];
  if (advice) return `${text}\n${advice}`;
  return SENTENCES[text] ?? (/^missing [a-z]+$/.test(text) ? INCOMPLETE : text);
}
