import { expect, it } from '@jest/globals';
import { changeSentence } from '../../../src/contract/protection-words.ts';
import { compareEnvironments, gateOf } from '../../../src/protection/environments.ts';
import { anEnvironment, environments } from './rules.ts';

const [CLOSED, OPEN] = [
  environments(anEnvironment()),
  environments(anEnvironment({ canAdminsBypass: true })),
];
const UNGATED = environments(anEnvironment({ isGated: false }));
const HIDDEN = { ...environments(), total: null };
const UNREAD = environments(anEnvironment({ isGated: null }));

it.each([
  ['not asked', null, ''],
  ['closed', CLOSED, 'closed'],
  ['open to administrators', OPEN, 'open'],
  ['open in one of two', environments(anEnvironment(), anEnvironment({ canAdminsBypass: true })), 'open'],
  [
    'without GitHub’s word on administrators',
    environments(anEnvironment({ canAdminsBypass: null })),
    'unsure',
  ],
  ['without the rule', UNGATED, 'none'],
  ['without an environment', environments(), 'none'],
  ['with one whose rules aren’t shown', environments(anEnvironment({ isGated: null })), 'unknown'],
  ['with more than were read', { ...UNGATED, total: 101 }, 'unknown'],
  ['not shown', HIDDEN, 'unknown'],
] as const)('a repository %s', (_what, found, gate) => {
  expect(gateOf(found)).toBe(gate);
});

const REMOVED = "hello: the environment “release” doesn't have OTP Guard's rule";
const FREED = 'hello: administrators at the environment release may always bypass';
const BACK = "hello: the environment “release” has OTP Guard's rule";

it.each([
  ['a first reading', undefined, UNGATED, []],
  ['the same', CLOSED, CLOSED, []],
  ['the rule was taken off', CLOSED, UNGATED, [`- ${REMOVED}`]],
  ['the environment was deleted', CLOSED, environments(), [`- ${REMOVED}`]],
  ['the rule came back', UNGATED, CLOSED, [`+ ${BACK}`]],
  [
    'the rule came back, for administrators too',
    environments(anEnvironment({ isGated: false, canAdminsBypass: true })),
    CLOSED,
    [`+ ${BACK}`, "+ hello: administrators at the environment release can't bypass"],
  ],
  ['the rule came back, but not for administrators', UNGATED, OPEN, [`+ ${BACK}`]],
  ['a new environment without the rule', environments(), UNGATED, []],
  ['an environment in other capitals', CLOSED, environments(anEnvironment({ name: 'Release' })), []],
  ['administrators may bypass now', CLOSED, OPEN, [`- ${FREED}`]],
  ['and can’t any more', OPEN, CLOSED, ["+ hello: administrators at the environment release can't bypass"]],
  [
    'they may, where no rule is',
    UNGATED,
    environments(anEnvironment({ isGated: false, canAdminsBypass: true })),
    [],
  ],
  ['GitHub doesn’t show the environments', CLOSED, HIDDEN, []],
  ['GitHub doesn’t show the rules', CLOSED, UNREAD, []],
  ['nobody asked', CLOSED, undefined, []],
  ['it’s not among those that were read', CLOSED, { ...environments(), total: 120 }, []],
] as const)('a change of environments: %s', (_what, before, after, expected) => {
  const { changes, known } = compareEnvironments('hello', before, after);
  const said = changes.map(
    ({ change }) => `${change.isWeaker ? '-' : '+'} ${changeSentence(change, null).split(';')[0]}`,
  );
  expect(said).toEqual(expected);
  // What GitHub didn't show stays known, so that a rule which is gone when it's shown again is a change.
  const isShown = after !== undefined && after.total !== null && after !== UNREAD && after.total !== 120;
  const later = compareEnvironments('hello', known, UNGATED).changes.length;
  if (before === CLOSED && !isShown) expect(later).toBe(1);
});
