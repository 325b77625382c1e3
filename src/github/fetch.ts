export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` for GitHub's API. GitHub redirects a request for a renamed repository
 * or organization to its id, and expects it again there, unchanged
 * (docs.github.com, "Best practices for using the REST API"). So one redirect
 * within GitHub's API is followed, by writes too: GitHub did nothing yet. Every
 * other redirect becomes a 404, and no token reaches another origin.
 *
 * @param answerMs How long one answer may take.
 */
export function fetchFromGitHub(answerMs: number): Fetch {
  return async (input, init) => {
    const signals = [AbortSignal.timeout(answerMs), ...(init?.signal ? [init.signal] : [])];
    const bounded: RequestInit = { ...init, redirect: 'manual', signal: AbortSignal.any(signals) };
    const answer = await fetch(input, bounded);
    if (!isRedirect(answer)) return answer;
    const from = input instanceof Request ? input.url : String(input);
    const location = answer.headers.get('location') ?? '';
    const to = URL.canParse(location, from) ? new URL(location, from) : null;
    // 303 would turn a write into a read.
    if (answer.status !== 303 && to?.origin === new URL(from).origin) {
      const moved = await fetch(to, bounded);
      if (!isRedirect(moved)) return moved;
    }
    return Response.json({ message: 'Moved' }, { status: 404 });
  };
}

/** 304 isn't a redirect: it says that a list hasn't changed. */
const isRedirect = ({ status }: Response) => status >= 300 && status < 400 && status !== 304;

/** Reports the status of each answer; 0 if no answer came. */
export function withStatusReport(send: Fetch, onAnswer: (status: number) => void): Fetch {
  return async (input, init) => {
    try {
      const answer = await send(input, init);
      onAnswer(answer.status);
      return answer;
    } catch (error) {
      onAnswer(0);
      throw error;
    }
  };
}
