/** What `/readyz` says about each trouble that this process finds itself. A text may continue; the doctor knows a trouble by it. */
export const READINESS_TEXTS = {
  leaving: 'This process is stopping.',
  noStore: 'The record store does not answer.',
  noWrites: 'The record store takes no records.',
  noWebhooks: "ok, but GitHub's webhooks don't arrive. Checks are late; see the log.",
  lostLeft:
    "ok, but approvals by a lost authenticator couldn't be withdrawn yet, so their checks may be green; see the log.",
  overdue: "ok, but periodic work didn't end in time, so checks may be late; see the log.",
  faults:
    "ok, but the last reconciliation couldn't read or repair everything, so checks may be late; see the log.",
  noBackup: 'ok, but there is no daily backup of the last day; see the log.',
};
