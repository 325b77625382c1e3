type Budget = {
  /** How often one session may make each of these calls in a minute. */
  perMinute: number;
  /** How often one session may make these calls in an hour, all together. */
  perHour: number;
  /** How many requests to GitHub such a call takes, about; 0 if it takes none. */
  requests: number;
  /** How many such calls of a member's session pass in an hour no matter what the organization's other members did. */
  own: number;
  /** What counts the calls beyond the own ones, for the whole organization. */
  pool: keyof typeof REQUESTS_PER_HOUR;
  /** Whether it waits while the rest of GitHub's hourly budget is kept for approvals. */
  isPostponable: boolean;
};

/**
 * How many requests the calls of its members cost an organization in an hour, beyond
 * the members' own shares, of the 5,000 or more that GitHub allows.
 */
export const REQUESTS_PER_HOUR = { approvals: 1_000, revocations: 200, others: 500 };

const FREE = { requests: 0, own: 0, pool: 'others', isPostponable: false } as const;

/** What a product call may cost. Nobody who approves five pull requests a minute notices. */
export const budgets = {
  /** Asks GitHub nothing. */
  local: { perMinute: 120, perHour: 3_000, ...FREE },
  /** Reads a commit with the person's own token, which costs the organization nothing. */
  changes: { perMinute: 60, perHour: 600, ...FREE },
  /** Prepares the confirmation of a revocation or of a new authenticator. Asks GitHub nothing. */
  stepUp: { perMinute: 120, perHour: 600, ...FREE },
  /** Asks GitHub nothing, and sends an e-mail. */
  mail: { perMinute: 10, perHour: 10, ...FREE },
  /** Every page asks twice a minute. Asks GitHub as the person, on their own rate limit, at most every five minutes. */
  inbox: { perMinute: 60, perHour: 1_200, ...FREE },
  /** Shows or changes an organization: asks GitHub who the person is there. */
  organization: {
    perMinute: 60,
    perHour: 300,
    requests: 2,
    own: 30,
    pool: 'others',
    isPostponable: true,
  },
  /** Sends e-mails to members: asks GitHub who the person is. */
  reminder: { perMinute: 30, perHour: 60, requests: 2, own: 1, pool: 'others', isPostponable: true },
  /** Sets or tests an outgoing webhook: asks GitHub who the person is, and sends e-mails or a request. */
  hook: { perMinute: 6, perHour: 30, requests: 2, own: 2, pool: 'others', isPostponable: true },
  /** Reads the rules of ten repositories. */
  health: { perMinute: 30, perHour: 100, requests: 25, own: 3, pool: 'others', isPostponable: true },
  /** Adds an authenticator or changes a policy: asks GitHub who the person is. */
  authenticator: {
    perMinute: 60,
    perHour: 120,
    requests: 2,
    own: 30,
    pool: 'others',
    isPostponable: false,
  },
  /** Reads what a pull request changes, and who approved it; or which pull requests commits came from. */
  trial: { perMinute: 30, perHour: 100, requests: 20, own: 4, pool: 'others', isPostponable: true },
  /** Proves approvals or the log: asks GitHub who the person is. */
  proof: { perMinute: 60, perHour: 600, requests: 1, own: 20, pool: 'others', isPostponable: true },
  /** Reads a pull request and its neighbours, and writes a check run. */
  approval: {
    perMinute: 60,
    perHour: 600,
    requests: 6,
    own: 60,
    pool: 'approvals',
    isPostponable: false,
  },
  /** Takes trust away: from an approval, an authenticator or a member's sessions. No other call uses it up. */
  revocation: {
    perMinute: 30,
    perHour: 120,
    requests: 6,
    own: 20,
    pool: 'revocations',
    isPostponable: false,
  },
} as const satisfies Record<string, Budget>;

export type BudgetName = keyof typeof budgets;
