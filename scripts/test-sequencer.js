// Starts the tests that take longest first, so that no worker still runs a slow file when the others have finished.
import Sequencer from '@jest/test-sequencer';

/** The files that take more than 18 seconds, the longest first, and then the slow kinds of tests. */
const LONGEST = [
  'e2e/organization',
  'http/commands',
  'e2e/every-page',
  'e2e/account',
  'e2e/story',
  'http/process',
  'http/restore',
  'e2e/authenticators',
  'http/forged-records',
  'http/approval',
  'faults/claims',
  'http/owners',
  'faults/store',
  'http/membership',
  'faults/reconcile-budget',
  'http/many-processes',
  'security/record-api',
  'http/notices',
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
