/** The head commit of a pull request, as GitHub shows it to a person. */
export type HeadCommits = {
  /** Takes at most two requests. Null if GitHub doesn't show the person the pull request; `commit` is null if it doesn't list the head. */
  read(
    accessToken: string,
    target: { owner: string; repo: string; pr: number; head: string },
  ): Promise<{ commit: { message: string; tree: string } | null } | null>;
};

/** The trees of commits: two commits with the same tree have the same files. */
export type CommitTrees = {
  save(head: string, tree: string): Promise<void>;
  /** Null if we don't know it. */
  of(head: string): Promise<string | null>;
};
