import { inParts } from '../parts.ts';
import { type LogWords, type Mails, mailedPull, pull } from './words.ts';

/** The log's lines about what OTP Guard didn't write. */
export const forgeriesLog = {
  forgedRecord: {
    name: 'Forged record found',
    isWarning: true,
    text: ({ collection }) =>
      inParts`wrote a forged record to the database, which OTP Guard ignores: ${{ name: collection || 'unknown' }}`,
  },
  forgedCheck: {
    name: 'A green check that OTP Guard did not give',
    isWarning: true,
    text: (data) => inParts`gave ${pull(data)} a green check that OTP Guard didn't give`,
  },
} satisfies LogWords;

/** The e-mails about what OTP Guard didn't write. */
export const forgeriesMails = {
  forgedRecord: (data) => ({
    withCheckpoint: true,
    subject: 'A forged record was found',
    parts: [
      `OTP Guard found a record about ${data.org} in its database that it didn’t write. It ignored the record, so no check passed because of it.`,
      'Someone may have access to the database: tell the people who run OTP Guard. The organization’s activity log names the kind of record.',
    ],
  }),
  forgedCheck: (data) => ({
    withCheckpoint: true,
    subject: `${mailedPull(data)} had a green check that OTP Guard didn’t give`,
    parts: [
      `GitHub showed a green check on ${mailedPull(data)}, but OTP Guard didn’t give it. The check waits for an approval again.`,
      'Someone may have the App’s private key or a token of it. Ask the operator of OTP Guard to replace the App’s private key on GitHub now, and review what was merged in the last days.',
    ],
  }),
} satisfies Mails;
