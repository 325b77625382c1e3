// Starts the tests that take longest first, so that no worker still runs a slow file when the others have finished.
import Sequencer from '@jest/test-sequencer';

/** The files that take more than 18 seconds, the longest first, and then the slow kinds of tests. */
const LONGEST = [
  'http/commands',
  'e2e/organization',
  'e2e/account',
  'e2e/every-page',
  'http/restore',
  'e2e/story',
  'http/forged-records',
  'http/process',
  'e2e/authenticators',
  'faults/private-repository',
  'http/store-lock',
  'security/record-api',
  'faults/reconcile-budget',
  'faults/store',
  'http/many-processes',
  'http/approval',
  'http/otp-guard',
  'http/in-a-row',
  'faults/time',
  'http/upgrade',
  'faults/claims',
  'http/owners',
];
const KINDS = ['faults', 'e2e', 'http', 'security', 'webhooks', 'unit', 'demo'];

/** Below zero for the files of the list, in its order. */
function rank({ path, context }) {
  const place = LONGEST.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return place >= 0 ? place - LONGEST.length : KINDS.indexOf(context.config.displayName?.name);
}

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
}
