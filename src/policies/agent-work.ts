import { listWords } from '../contract/rule-words.ts';
import { createFindAgent, type Hand, type KnownAgent, readNoreply } from './agents.ts';
import type { AgentWork, CommitHands, Contributor, KnownPeople, PullCommits } from './details.ts';

/** The trailers that name who wrote a commit together with its author. */
const TOKENS = ['co-authored-by', 'assisted-by'];

/** A line names at most this many agents. */
const MOST_NAMED = 3;

/**
 * What agents did in a pull request: who opened it, wrote its commits, or approved it in a review. Of an agent that left no
 * name, nobody knows. A list that isn't complete may lack an agent.
 */
export function agentWork(
  {
    author,
    commits,
    approvers,
  }: { author: Contributor | null; commits: PullCommits; approvers: KnownPeople },
  { agents, githubUrl }: { agents: KnownAgent[]; githubUrl: string },
): AgentWork {
  const isWhole = commits.isComplete && commits.commits.every(({ isComplete }) => isComplete);
  const findAgent = createFindAgent(agents);
  // An organization can name its agent by GitHub's address, too.
  const find = (hand: Hand) => findAgent(hand) ?? findAgent(toAccount(hand, githubUrl));
  const opener = author && find({ login: author.login });
  const writers = commits.commits.map((commit) => new Set(handsOf(commit).map(find)));
  const reviewers = approvers.people.map(({ login }) => find({ login }));
  const sentences = agents.flatMap((agent) => {
    const count = writers.filter((those) => those.has(agent)).length;
    const deeds = [
      opener === agent && 'opened it',
      count > 0 && `wrote ${isWhole ? countWords(count, writers.length) : `at least ${commitsWords(count)}`}`,
      reviewers.includes(agent) && 'approved it in a review',
    ].filter((deed) => typeof deed === 'string');
    return deeds.length > 0 ? [`${agent.name} ${listWords(deeds, 'and')}`] : [];
  });
  if (sentences.length > 0) return { hasHand: 'yes', line: joined(sentences) };
  const unknown = [
    author === null && 'who opened it',
    !isWhole && 'who wrote each commit',
    !approvers.areAllKnown && 'who approved it in a review',
  ].filter((who) => typeof who === 'string');
  if (unknown.length === 0) return { hasHand: 'no', line: null };
  const line = `An agent may have had a hand in it: OTP Guard doesn't know ${listWords(unknown)}`;
  return { hasHand: 'maybe', line };
}

const handsOf = ({ by, trailers }: CommitHands): Hand[] => [
  ...by,
  ...trailers.filter(({ token }) => TOKENS.includes(token)).map(({ name, email }) => ({ name, email })),
];

/** The account that one of GitHub's own addresses names, if it's one. Agents of github.com commit on other GitHubs, too. */
function toAccount(hand: Hand, githubUrl: string): Hand {
  const read = (url: string) => (hand.email ? readNoreply(hand.email, url)?.login : undefined);
  const login = read(githubUrl) ?? read('https://github.com');
  return login === undefined ? hand : { login };
}

const commitsWords = (count: number) => `${count} ${count === 1 ? 'commit' : 'commits'}`;

const countWords = (count: number, all: number) =>
  all === 1 ? 'its only commit' : `${count} of ${commitsWords(all)}`;

function joined(sentences: string[]): string {
  const left = sentences.length - MOST_NAMED;
  const more = left > 0 ? [`${left} more ${left === 1 ? 'agent' : 'agents'} had a hand in it`] : [];
  return [...sentences.slice(0, MOST_NAMED), ...more].join('; ');
}
