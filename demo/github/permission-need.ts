/** The permission that requests of a kind need from an account that installed the App. */
export type Need = {
  method: RegExp;
  path: RegExp;
  permission: string;
  level: 'read' | 'write';
  /** Everybody may read this of a public repository. */
  isPublic?: true;
};
