/** A setting for operators. `docs/settings.md` and `.env.example` are written from this list. */
type Setting = {
  /** Describes it in sentences, with Markdown's backticks only. */
  what: string;
  /** The value that applies if it isn't set, in backticks, or what happens then. Nothing does without it. */
  default?: string;
  /** A valid value, shown with every fault. */
  example: string;
  /** The case in which OTP Guard doesn't start without it, as in "Required in production". */
  required?: string;
  /** Set if people who know it can do more than others. */
  secret?: true;
  /** A link to more, for `docs/settings.md`. */
  more?: string;
};

type Settings = Readonly<Record<string, Setting>>;

const WITH_THE_APP = 'in production, and with any other setting of the App';

const THE_APP = {
  APP_ID: { what: "The App's id.", example: '123456', required: WITH_THE_APP },
  PRIVATE_KEY: {
    what: "The App's private key: the path of its PEM file, or the whole file in quotes, line breaks as `\\n`.",
    default: 'the only `*.pem` file of the working directory',
    example: './otp-guard.pem',
    required: WITH_THE_APP,
    secret: true,
  },
  WEBHOOK_SECRET: {
    what: "Signs the App's webhooks.",
    example: 'a-long-random-text',
    required: WITH_THE_APP,
    secret: true,
  },
  GITHUB_CLIENT_ID: {
    what: "The App's client id, for sign-in.",
    example: 'Iv23liAbCdEfGhIjKlMn',
    required: WITH_THE_APP,
  },
  GITHUB_CLIENT_SECRET: {
    what: "The App's client secret, for sign-in.",
    example: 'the-secret-of-the-app',
    required: WITH_THE_APP,
    secret: true,
  },
} as const satisfies Settings;

const GITHUB = {
  GITHUB_SERVER_URL: {
    what: 'The address of a GitHub Enterprise Server, or of GitHub Enterprise Cloud with data residency (`https://acme.ghe.com`).',
    default: '`https://github.com`',
    example: 'https://github.example.org',
  },
  GITHUB_API_URL: {
    what: "The root of that GitHub's REST API, if it isn't where GitHub has it.",
    default: 'from `GITHUB_SERVER_URL`',
    example: 'https://github.example.org/api/v3',
  },
} as const satisfies Settings;

const ADDRESS = {
  PUBLIC_URL: {
    what: "The address that people open: an origin without a path, `https` except on localhost. Passkeys belong to its host name and don't move.",
    default: '`http://localhost:PORT`',
    example: 'https://guard.example.org',
    required: 'in production',
  },
  PORT: { what: 'The port to listen on.', default: '`3000`', example: '3000' },
  HOST: {
    what: 'The address to listen on: `127.0.0.1` behind a proxy on the same machine.',
    default: 'all addresses',
    example: '127.0.0.1',
  },
  TRUST_PROXY: {
    what: 'The proxies in front: their number, or their addresses (`10.0.0.0/8, loopback`). `true` means one.',
    default: '`false`',
    example: '1',
  },
  WEBHOOK_PROXY_URL: {
    what: "A smee.io channel that forwards webhooks to a machine that GitHub can't reach. For trials only: everybody who knows the channel can read the webhooks.",
    example: 'https://smee.io/your-channel',
  },
} as const satisfies Settings;

const RECORDS = {
  DATA_DIR: {
    what: 'The folder of the embedded record store.',
    default: '`./data`',
    example: '/var/lib/otp-guard',
  },
  SECRET_KEY: {
    what: 'Encrypts secrets at rest and protects records, 32 characters or more. Several, the newest first, are separated by commas.',
    default: 'created at the first start, in `DATA_DIR/secret.key`',
    example: 'a-random-text-of-at-least-32-characters',
    required: 'with `POCKETBASE_URL`',
    secret: true,
    more: '[How to change it](keys.md#changing-secret_key)',
  },
  POCKETBASE_SHA256: {
    what: 'The SHA-256 of the embedded PocketBase, on a platform for which we reviewed none. `otp-guard doctor` prints it and says how to compare it.',
    default: 'the hash that we reviewed',
    example: '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    more: '[More](install.md#macs-and-arm)',
  },
  BACKUP_DIR: {
    what: 'The folder of the daily backups, or `off`: then OTP Guard makes none, and none before an upgrade.',
    default: '`DATA_DIR/backups`; with `POCKETBASE_URL` none are made, so that `BACKUP_S3_URL` needs it',
    example: '/mnt/backups/otp-guard',
    more: '[More](backup.md#daily-backups)',
  },
  BACKUP_S3_URL: {
    what: "An S3-compatible bucket that each daily backup in `BACKUP_DIR` is copied to: its address with the access key and a folder, `https` except on localhost. Signs are encoded, as `%2F` for a slash in the key. `?region=` names the region if the address doesn't.",
    default: 'no copies are made',
    example: 'https://KEY_ID:SECRET@s3.eu-central-1.amazonaws.com/acme-backups/otp-guard/',
    secret: true,
    more: '[More](backup.md#copies-in-s3)',
  },
  POCKETBASE_URL: {
    what: 'An external PocketBase instead of the embedded one.',
    example: 'https://records.example.org',
    required: 'with `POCKETBASE_SUPERUSER_EMAIL` or `POCKETBASE_SUPERUSER_PASSWORD`',
    more: '[More](scaling.md#several-processes)',
  },
  POCKETBASE_SUPERUSER_EMAIL: {
    what: 'The e-mail address of its superuser.',
    example: 'otp-guard@example.org',
    required: 'with `POCKETBASE_URL`',
  },
  POCKETBASE_SUPERUSER_PASSWORD: {
    what: 'The password of its superuser.',
    example: 'a-long-random-text',
    required: 'with `POCKETBASE_URL`',
    secret: true,
  },
} as const satisfies Settings;

const AUTHENTICATORS = {
  ATTESTATION_ROOTS: {
    what: "A file of PEM certificates: the roots of manufacturers whose attestation proves an authenticator's model, for policies that list models.",
    default: 'no model is verified',
    example: '/etc/otp-guard/attestation-roots.pem',
  },
} as const satisfies Settings;

const MAIL = {
  SMTP_URL: {
    what: 'The mail server: `smtps`, or `smtp` with `?requireTLS=true`. Its certificate must be valid for this host name.',
    default: 'no e-mail is sent',
    example: 'smtps://user:password@mail.example.org',
    required: 'with `MAIL_FROM`',
    secret: true,
    more: '[More](#e-mail)',
  },
  MAIL_FROM: {
    what: "The sender's address, without a name.",
    example: 'otp-guard@example.org',
    required: 'with `SMTP_URL`',
  },
} as const satisfies Settings;

const PROCESS = {
  NODE_ENV: {
    what: '`production` or `development`. In production, the set-up page is closed.',
    default: '`development`',
    example: 'production',
  },
  LOG_LEVEL: {
    what: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`.',
    default: '`info`',
    example: 'info',
    more: '[More](monitoring.md#logs)',
  },
  HTTPS_PROXY: {
    what: 'The proxy for requests to GitHub and to any other https address. E-mail, Redis and outgoing webhooks don’t use it.',
    default: 'none',
    example: 'http://proxy.example.org:3128',
    secret: true,
    more: '[More](#a-proxy-on-the-way-out)',
  },
  NO_PROXY: {
    what: 'Hosts that requests reach without `HTTPS_PROXY`, separated by commas. `.example.org` means all below it.',
    example: 'localhost,.example.org',
  },
  METRICS_TOKEN: {
    what: 'Lets a monitor read `/metrics`, 16 characters or more.',
    default: 'no metrics',
    example: 'a-random-text-of-16-characters',
    secret: true,
    more: '[More](monitoring.md#metrics)',
  },
  REDIS_URL: {
    what: "A Redis in which several processes count together: GitHub's limits and those of people's calls.",
    default: 'each process counts alone',
    example: 'redis://127.0.0.1:6379',
    secret: true,
    more: '[More](scaling.md#several-processes)',
  },
} as const satisfies Settings;

/** The same settings by what they're about. */
export const SETTING_PARTS = {
  'The GitHub App. `npm start` without these opens a page that registers one and writes them into `.env`.':
    THE_APP,
  "GitHub's address. github.com needs neither.": GITHUB,
  "OTP Guard's own address.": ADDRESS,
  'The record store.': RECORDS,
  'Authenticators.': AUTHENTICATORS,
  'E-mail.': MAIL,
  'The process.': PROCESS,
} as const satisfies Record<string, Settings>;

const ALL = {
  ...THE_APP,
  ...GITHUB,
  ...ADDRESS,
  ...RECORDS,
  ...AUTHENTICATORS,
  ...MAIL,
  ...PROCESS,
};

export type SettingName = keyof typeof ALL;
/** Settings of which the list says when they're required. */
export type RequirableName = {
  [Name in SettingName]: (typeof ALL)[Name] extends { required: string } ? Name : never;
}[SettingName];

/** Every setting of OTP Guard, in the order of the documentation. */
export const SETTINGS: Readonly<Record<SettingName, Setting> & Record<RequirableName, { required: string }>> =
  ALL;
export const SETTING_NAMES = Object.keys(ALL) as SettingName[];
export const SETTINGS_OF_THE_APP = Object.keys(THE_APP) as SettingName[];
export const isSetting = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name);
