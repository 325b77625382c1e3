import '../../../lib/zod-without-eval.ts';
import { type Policy, type PolicyFault, parsePolicy } from '../../../../../src/contract/policy.ts';

/** The fault of a policy, or null. Loaded when it's needed: the schema's library is larger than the page. */
export const findFault = (policy: unknown): PolicyFault | null => parsePolicy(policy).fault ?? null;

/** The form's names of settings that have another name in a file. */
export const LABELS: Record<string, string> = {
  ...{ from: 'approvers', notBy: 'exclude', methods: 'using' },
  ...{ refs: 'branches and tags', hours: 'an approved merge is enough' },
};

/** Names the fault in a person's terms: `Rule “Workflows”, approvers: Name at least one source of approvals.` */
export function faultText(
  policy: unknown,
  { path, message }: PolicyFault,
  labels: Partial<typeof LABELS> = {},
): string {
  const [part, index] = path;
  const setting = path.filter((one) => typeof one === 'string').at(-1);
  if (part !== 'rules' || typeof index !== 'number')
    return [...(setting ? [setting] : []), message].join(': ');
  const { name } = (policy as Partial<Policy>).rules?.[index] ?? {};
  const rule = name ? `Rule “${name}”` : `Rule ${index + 1}`;
  return setting === 'rules'
    ? `${rule}: ${message}`
    : `${rule}, ${labels[`${setting}`] ?? setting}: ${message}`;
}
