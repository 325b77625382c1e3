import { entryText } from '../../../../../src/contract/events/log-text.ts';
import { plainText } from '../../../../../src/contract/parts.ts';
import { exactTime } from '../../../lib/times.ts';
import type { Entry } from './entry.ts';

/** An entry's text as one string, for screen readers and exports, with times in the reader's zone. */
export const plainEntryText = (entry: Pick<Entry, 'kind' | 'data'>): string =>
  plainText(entryText(entry), exactTime);

/** The text of an empty log. */
export const NO_ACTIVITY = 'No activity yet. Registrations and approvals appear here.';
