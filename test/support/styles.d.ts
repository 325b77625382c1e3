/** A CSS module of the dashboard. */
declare module '*.css' {
  const classes: Record<string, string>;
  export default classes;
}
