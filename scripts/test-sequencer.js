// Starts the tests that take longest first, so that no worker still runs a slow file when the others have finished.
import Sequencer from '@jest/test-sequencer';

/** The files that take more than 18 seconds, the longest first, and then the slow kinds of tests. */
const LONGEST = [
  'http/commands',
  'http/deployments',
  'http/forged-records',
  'e2e/organization',
  'e2e/account',
  'e2e/every-page',
  'http/owners',
  'http/in-a-row',
  'http/refusals',
  'e2e/story',
  'http/restore',
  'security/record-api',
  'faults/store',
  'faults/reconcile-budget',
  'e2e/authenticators',
  'http/protection',
  'http/other-apps',
  'http/approval',
  'faults/private-repository',
  'http/store-lock',
  'http/large-organization',
  'http/many-processes',
  'http/process',
  'http/child-processes',
  'faults/time',
  'http/upgrade',
  'faults/claims',
  'http/otp-guard',
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
