// Runs the slow kinds of tests first, so that no worker still runs a slow file when the others have finished.
import Sequencer from '@jest/test-sequencer';

const KINDS = ['faults', 'e2e', 'http', 'security', 'webhooks', 'unit'];
const rank = ({ context }) => KINDS.indexOf(context.config.displayName?.name);

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
}
