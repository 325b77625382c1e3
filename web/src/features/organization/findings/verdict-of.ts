import type { Finding, FindingStatus } from '../../../../../src/contract/findings.ts';
import type { Around } from '../bypass-texts.ts';
import { type Link, linkOf } from './finding-link.tsx';
import { countsIn, gravestFirst, headlineOf, paragraphsOf } from './words.ts';

export type Verdict = {
  status: FindingStatus;
  title: string;
  text: string;
  /** To a page on which an owner acts, if no tile has it. */
  link: Link | null;
};

type Findings = {
  /** About the installation and this server, and about repositories; null if they couldn't be read. */
  setup: Finding[] | null;
  repositories: Finding[] | null;
  /** What the organization leaves open, what became weaker, or that it's suspended. */
  choices: Finding[];
  /** The actors that may merge without the check; null if they weren't read. */
  around: Around[] | null;
  /** True if the App has access to selected repositories only. */
  isSelected: boolean;
};

/**
 * Decides whether an organization is protected, by the gravest finding. It's protected only if every repository was
 * checked, nobody may go around the check in any of them as far as we can see, nothing needs fixing, and an owner
 * chose what is left open.
 */
export function verdictOf({ setup, repositories, choices, around, isSelected }: Findings): Verdict {
  if (!(setup && repositories) && choices[0]?.id !== 'suspended') return UNREADABLE;
  const enforced = enforcedText(countsIn(repositories)?.total ?? 0, isSelected);
  const others = isSelected ? " OTP Guard doesn't check pull requests in others." : '';
  for (const finding of gravestFirst([...(setup ?? []), ...(repositories ?? []), ...choices])) {
    const { status } = finding;
    const headline = status === 'ok' ? null : headlineOf(finding, around);
    const isSetup = setup?.includes(finding) ?? false;
    if (headline) {
      const text = paragraphsOf(finding).join(' ') || enforced + others;
      const link = finding.id === 'suspended' ? linkOf(finding) : isSetup ? TO_SETUP : null;
      return { status, text, link, ...headline };
    }
    if (isSetup && status === 'failing') {
      const text = `${enforced} But until this is fixed, a check can be late or wrong.`;
      return { status, title: problemsText(failing(setup)), text, link: TO_SETUP };
    }
  }
  return { ...ofChoices(choices, repositories ?? []), text: enforced + others, link: null };
}

const TO_SETUP: Link = { to: '#setup', text: 'What to do' };

/** An opening that an owner chose is worded differently from an opening that nobody chose. */
function ofChoices(choices: Finding[], repositories: Finding[]): Pick<Verdict, 'status' | 'title'> {
  const unsettled = failing(choices);
  const things = unsettled === 1 ? '1 thing' : `${unsettled} things`;
  if (unsettled > 0) return { status: 'attention', title: `Enforced, with ${things} left open` };
  if (repositories.some(({ id }) => id === 'bypassSaid'))
    return { status: 'attention', title: 'Protected, by the word of an owner' };
  const isOnPurpose = choices.some(({ id, status }) => status === 'attention' && id !== 'members');
  return { status: 'ok', title: isOnPurpose ? 'Protected as your policy says' : 'Protected' };
}

function enforcedText(total: number, isSelected: boolean): string {
  const which = isSelected ? 'selected ' : '';
  return total === 1
    ? `The only ${which}repository requires the check on its default branch.`
    : `All ${total} ${which}repositories require the check on their default branches.`;
}

const failing = (findings: Finding[] | null) =>
  findings?.filter(({ status }) => status === 'failing').length ?? 0;

const problemsText = (count: number) => (count === 1 ? '1 problem to fix' : `${count} problems to fix`);

/** The setup health in one line. */
export function setupSummary(setup: Finding[]): string {
  const problems = failing(setup);
  return problems > 0 ? `${problemsText(problems)}.` : 'No problems found.';
}

const UNREADABLE: Verdict = {
  status: 'unknown',
  title: "Can't tell right now",
  text: "We couldn't read how this organization is set up. Try again in a moment.",
  link: { to: '#setup', text: 'Setup health' },
};
