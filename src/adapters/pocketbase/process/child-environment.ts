/** What Go reads: the folder of temporary files, and your own certificate authorities. */
const NEEDED = ['TMPDIR', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** The whole environment of a PocketBase process. Ours contains secrets, and a child needs none of them. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const given = NEEDED.filter((name) => process.env[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, process.env[name]]));
}
