import { usePageContext } from '../lib/react/use-client.ts';

/** The messages that the product passes in the `info` parameter. */
const KNOWN_MESSAGES: readonly string[] = [
  'Thanks for connecting to GitHub! Please refresh in a few minutes to see your repositories',
  'Connect your first repository with GitHub',
  'Successfully set image',
  'Successfully edited authenticator',
];

/** The `info` parameter if it's one of our messages: anyone can write a link with another text. */
export function Info() {
  const { info } = usePageContext();
  return KNOWN_MESSAGES.includes(info) && <p role="status">{info}</p>;
}
