import type { LoggedVerdict } from '../contract/log-entry.ts';
import { claimed, type Finding } from './findings.ts';
import { type LoggedReceipt, nameOf } from './receipt-context.ts';

/** What a receipt says that no signature or hash proves. */
export function listClaims({ receipt }: LoggedReceipt): Finding[] {
  const { statement, approved, issued, withdrawn, authenticator, verdict, method } = receipt.predicate;
  const findings = [
    claimed('time', `Approved at ${approved}, receipt issued at ${issued}: by the server’s clock.`),
    claimed(
      'person',
      `The server says that ${nameOf(statement.user)} signed in with GitHub and belongs to ${statement.org.login}.`,
    ),
  ];
  if (method !== 'totp') findings.push(claimed('model', modelText(authenticator)));
  findings.push(claimed('verdict', verdictText(verdict)));
  if (withdrawn !== null)
    findings.push(claimed('withdrawn', `The approval was withdrawn at ${withdrawn}. It no longer counts.`));
  return findings;
}

function modelText({
  aaguid,
  model,
  modelVerified,
}: {
  aaguid: string;
  model: string;
  modelVerified: boolean;
}) {
  if (aaguid === '' && model === '') return 'The key didn’t say which model it is.';
  const name = model === '' ? aaguid : model;
  return modelVerified
    ? `A certificate that the server’s operator trusts names the key’s model: ${name}. The server checked it.`
    : `The key says that its model is ${name}. No certificate proves it.`;
}

function verdictText(verdict: LoggedVerdict | null): string {
  if (!verdict) return 'The receipt doesn’t say what the server decided.';
  const { passed, policyNumber, rules } = verdict;
  const missing = rules
    .filter(({ met }) => !met)
    .map(({ name, missing: what }) => `${name || 'approval'}: ${what}`);
  const policy = policyNumber === 0 ? 'the default policy' : `policy ${policyNumber}`;
  const decided = `By ${policy} the server let the pull request ${passed ? 'pass' : 'wait'}`;
  return missing.length === 0 ? `${decided}.` : `${decided}. Missing: ${missing.join('; ')}.`;
}
