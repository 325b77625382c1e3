import type { FindingStatus } from '../../../../../src/contract/findings.ts';
import type { CheckRequirement } from '../../../../../src/contract/organization-health.ts';

type RequirementTexts = {
  status: FindingStatus;
  /** Reads on with "on {branch}". */
  text: string;
  /** Why it matters and what to do; empty if there is nothing to do. */
  advice: string;
  /** The text of the link to the branch's rules. */
  action: string;
};

/** The texts that say whether a default branch requires the check. */
export const REQUIREMENT_TEXTS: Record<CheckRequirement, RequirementTexts> = {
  thisApp: { status: 'ok', text: 'Required from OTP Guard', advice: '', action: '' },
  anySource: {
    status: 'failing',
    text: 'Required from any source',
    advice: 'Anyone who can write checks can report it. Choose the OTP Guard App as its source.',
    action: 'Set its source',
  },
  no: {
    status: 'failing',
    text: 'Not required',
    advice: "Merges don't wait for it. The roll-out has a ruleset file that requires it.",
    action: 'Require it',
  },
  unknown: {
    status: 'unknown',
    text: "Can't be checked",
    advice:
      "The App isn't allowed to read branch protection. Look at the rules yourself, require the check in a ruleset, or grant the App “Administration: read”.",
    action: 'View rules',
  },
};
