import { isRuled, type JudgedPull } from '../judge/judge.ts';
import { codeSpan, escapeText } from './markdown.ts';

type Judged = JudgedPull['rules'][number];

/** What is missing first, and last what is only reported. Nothing about the seed alone. */
export function ruleLines(rules: Judged[]): string[] {
  if (!isRuled(rules)) return [];
  const enforced = rules.filter((rule) => rule.enforced);
  return [
    ...enforced
      .filter(({ met }) => !met)
      .map(({ name, missing }) => `${nameOf(name)}: ${escapeText(missing)}`),
    ...enforced.filter(({ met }) => met).map(metLine),
    ...rules.filter((rule) => !rule.enforced).map(reportedLine),
  ];
}

const nameOf = (name: string) => (name === '' ? 'Every pull request' : `Rule ${codeSpan(name)}`);

function metLine({ name, approvals, counted }: Judged): string {
  if (approvals === 0) return `${nameOf(name)}: needs no approval.`;
  const logins = counted.map(({ login }) => `@${escapeText(login)}`);
  return `${nameOf(name)}: met by ${logins.join(', ')}.`;
}

function reportedLine({ name, met, missing }: Judged): string {
  const outcome = met ? 'It would have passed.' : `It would have waited: ${escapeText(missing)}`;
  return `${nameOf(name)} is only reported. ${outcome}`;
}
