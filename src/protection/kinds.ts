import type { WeakeningKind } from '../contract/protection.ts';

/** What the webhooks are about that can tell a kind. */
type Subject = 'app' | 'rules' | 'other';

/**
 * The widest opening has the least severity number: the App's end, then ways for everybody to merge, then ways for
 * some people.
 */
const KINDS: Record<WeakeningKind, [severity: number, subject: Subject]> = {
  appRemoved: [0, 'app'],
  appSuspended: [0, 'app'],
  repositoriesReduced: [1, 'app'],
  permissionsReduced: [1, 'app'],
  checkNotRequired: [2, 'rules'],
  checkFromAnySource: [2, 'rules'],
  pullRequestNotRequired: [2, 'rules'],
  ruleNotActive: [2, 'rules'],
  ruleCoversLess: [2, 'rules'],
  protectionRemoved: [2, 'rules'],
  administratorsFree: [3, 'rules'],
  bypassAdded: [3, 'rules'],
  bypassLoosened: [3, 'rules'],
  environmentOpened: [3, 'other'],
  ownerAdded: [4, 'other'],
  deployKeyAdded: [5, 'other'],
};

export const severityOf = (kind: WeakeningKind): number => KINDS[kind][0];

/** The kinds that a webhook about this can tell. */
export const kindsOf = (subject: Subject): WeakeningKind[] =>
  (Object.keys(KINDS) as WeakeningKind[]).filter((kind) => KINDS[kind][1] === subject);
