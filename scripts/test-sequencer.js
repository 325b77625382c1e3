// The order of the test files: those that mostly wait for real processes and browsers first, so that no long one
// is left alone at the end while the other workers have nothing to do.
import Sequencer from '@jest/test-sequencer';

const KINDS = ['faults', 'e2e', 'http', 'webhooks', 'unit'];
const rank = ({ context }) => KINDS.indexOf(context.config.displayName?.name);

export default class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((one, other) => rank(one) - rank(other));
  }
}
