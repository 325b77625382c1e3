import { inParts } from '../parts.ts';
import { type LogWords, type Mails, NOT_YOU } from './words.ts';

/** The log's lines about sessions and e-mail addresses. */
export const peopleLog = {
  memberSessionsEnd: {
    name: 'Signed a member out everywhere',
    text: ({ user }) => inParts`signed ${user ? { name: user } : 'a member'} out everywhere`,
  },
} satisfies LogWords;

/** The e-mails about sessions and e-mail addresses. */
export const peopleMails = {
  sessionsEnded: (data) => ({
    subject: `${data.by} signed you out`,
    parts: [
      `${data.by}, an owner of ${data.org}, signed you, ${data.login}, out of OTP Guard on every device.`,
      `Your GitHub session stays open, and with it anyone can sign in again. If you didn’t ask for this, review your sessions in GitHub’s settings, and ask ${data.by} why.`,
    ],
  }),
  memberSessionsEnded: (data) => ({
    withCheckpoint: true,
    subject: `${data.by} signed ${data.login} out`,
    parts: [
      `${data.by}, an owner of ${data.org}, signed ${data.login} out of OTP Guard on every device. The GitHub session of ${data.login} stays open.`,
    ],
  }),
  addressConfirmed: (data) => ({
    subject: 'This address is confirmed',
    parts: [
      `From now on, ${data.login}, OTP Guard sends an e-mail to this address when your authenticators change.`,
    ],
  }),
  addressReplaced: (data) => ({
    subject: 'Your e-mail address was changed',
    parts: [
      `${data.login} now has another e-mail address in OTP Guard. This one gets no more e-mail.`,
      NOT_YOU,
    ],
  }),
} satisfies Mails;
