import { type Found, note, ok, problem, unknown } from './finding.ts';

/** The answer to one request with an organization's token: null if it's good, or GitHub's sentence. */
export type Asked = { login: string; refusal: string | null };

/** Whether GitHub answers OTP Guard about each organization: an IP allow list, for example, keeps it out of one. */
export async function checkOrganizations(deps: {
  /** At most `most` of those that didn't suspend the App. */
  ask(): Promise<{ asked: Asked[]; more: number }>;
}): Promise<Found[]> {
  const found = await deps.ask().catch(() => null);
  if (!found) return [unknown("GitHub didn't list the organizations that installed the App. Try again.")];
  const { asked, more } = found;
  if (asked.length === 0) return [note('No organization has installed the App yet.')];
  const refused = asked.filter(({ refusal }) => refusal !== null);
  if (refused.length === 0) {
    const others = more > 0 ? ` ${more} more weren't tried.` : '';
    return [ok(`GitHub answers about ${asked.map(({ login }) => login).join(', ')}.${others}`)];
  }
  return refused.map(({ login, refusal }) =>
    problem(`GitHub doesn't answer OTP Guard about ${login}. It says: ${refusal}`),
  );
}
