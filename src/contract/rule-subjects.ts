/** A rule is about deployments or about pull requests, and never about both. */
export const isAboutDeployments = ({ when }: { when: { environments?: unknown; refs?: unknown } }): boolean =>
  when.environments !== undefined || when.refs !== undefined;
