/** A style sheet of the dashboard, as its pages import it. */
declare module '*.css' {
  const classes: Record<string, string>;
  export default classes;
}
