import { inParts } from '../parts.ts';
import { policyChanges } from '../policy-words.ts';
import { type LogWords, type Mails, minuteOf } from './words.ts';

/** The log's lines about an organization's policy, image and records. */
export const organizationLog = {
  setOrgImage: { name: 'Set the security image', text: () => ["set the organization's security image"] },
  policyChange: {
    name: 'Changed the policy',
    text: (data) => {
      const changes = policyChanges(data).flatMap((change, at) => [at === 0 ? ': ' : '; ', ...change]);
      return inParts`changed the policy${changes}`;
    },
  },
  restore: {
    name: 'Restored from a backup',
    isWarning: true,
    text: ({ backup }) => {
      const from = backup ? inParts` of ${{ time: backup }}` : [];
      return inParts`restored the records from a backup${from}. What was logged since is no longer in the log`;
    },
  },
} satisfies LogWords;

/** The e-mails about an organization's policy, image and records. */
export const organizationMails = {
  policyChanged: (data) => ({
    withCheckpoint: true,
    subject: `${data.by} changed the approval policy of ${data.org}`,
    parts: [
      `${data.by}, an owner of ${data.org}, changed the approval policy. The organization’s policy page shows the policy, and its log what changed.`,
      `If no owner meant to do this, someone may be using the GitHub account and an authenticator of ${data.by}: set the former policy again, and sign ${data.by} out on the organization’s page Members.`,
    ],
  }),
  restore: (data) => ({
    withCheckpoint: true,
    subject: 'The records were restored from a backup',
    parts: [
      `The records of ${data.org} in OTP Guard were restored from a backup${data.backup ? ` of ${minuteOf(data.backup)}` : ''}. What was logged since is no longer in the log.`,
      'GitHub’s check runs still show how long the log was. Compare the log with them: otp-guard audit. If you don’t know why the records were restored, ask the people who run OTP Guard.',
    ],
  }),
} satisfies Mails;
