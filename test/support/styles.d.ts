/** A CSS module of the dashboard. */
declare module '*.css' {
  const classes: Record<string, string>;
  export default classes;
}

/** A script that Vite builds as a worker. */
declare module '*?worker&url' {
  const url: string;
  export default url;
}
