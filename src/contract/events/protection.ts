import type { ActivityData } from '../activity.ts';
import { inParts, type Part } from '../parts.ts';
import { changeText, loggedChange } from '../protection-words.ts';
import { LONGEST_CHANGE, type LogWords, type Mails, plainTitle } from './words.ts';

/** The change that made something weaker or stronger, and the state before it. */
const changed = (data: ActivityData): Part[] => {
  const change = loggedChange(data);
  if (!change) return ['a rule'];
  const before = change.before ? inParts` (before: ${{ name: change.before }})` : [];
  return inParts`${{ name: changeText(change) }}${before}`;
};

/** The log's lines about what protects an organization. */
export const protectionLog = {
  protectionWeakened: {
    name: 'Protection became weaker',
    isWarning: true,
    text: (data) => inParts`weakened what protects the organization: ${changed(data)}`,
  },
  protectionStrengthened: {
    name: 'Protection became stronger',
    text: (data) => inParts`strengthened what protects the organization: ${changed(data)}`,
  },
  protectionBaseline: { name: 'Sent who may bypass rulesets', text: () => ['sent who may bypass rulesets'] },
  weakeningAcknowledged: {
    name: 'Acknowledged that protection became weaker',
    text: (data) => {
      const what = data.entry ? `log entry ${data.entry}` : 'a change';
      return inParts`acknowledged ${what}${data.alone ? ' alone, as the only owner' : ''}: ${changed(data)}`;
    },
  },
} satisfies LogWords;

/** The e-mails about what protects an organization. */
export const protectionMails = {
  protectionWeakened: ({ org, changes = [], more = 0 }) => {
    const each = changes.map((change) => plainTitle(change, LONGEST_CHANGE));
    const others = more > 0 ? [`The organization’s log has ${more} more.`] : [];
    return {
      withCheckpoint: true,
      subject: `${org} is less protected than before`,
      parts: [
        ...each,
        ...others,
        'Each stays red on the organization’s page until another owner than the one who did it acknowledges it. If no owner meant to do this, take it back on GitHub, and end the GitHub sessions of the person who did it.',
      ],
    };
  },
} satisfies Mails;
