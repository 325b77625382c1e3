import { existsSync } from 'node:fs';
import { StartError } from '../shared/app-error.ts';

const BUILT_DEMO = new URL('../../dist-demo/demo/run-demo.js', import.meta.url);

/**
 * `otp-guard demo`: OTP Guard with a local GitHub and two people, to try it.
 *
 * @throws StartError outside a clone of the repository: the demo isn't part of what operators install.
 */
export async function demo(): Promise<void> {
  if (!existsSync(BUILT_DEMO))
    throw new StartError(
      'The demo needs a clone of the repository. In it, run npm ci and then npm run demo.',
    );
  await import(BUILT_DEMO.href);
}
