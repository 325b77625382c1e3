import type { ReceivedMail } from '../mail-sink.ts';
import type { AppKey } from './app-jwt.ts';
import type { Credentials } from './credentials.ts';
import type { Hooks } from './hooks.ts';
import type { InstallationBook } from './installation-book.ts';
import type { RunBook } from './run-book.ts';
import type { FormerNames, Grants } from './shapes.ts';
import type { TokenBook } from './tokens.ts';
import type { Upstream } from './upstream.ts';

/** What every route of the layer is given. */
export type Local = {
  origin: string;
  credentials: Credentials;
  appKey: AppKey;
  upstream: Upstream;
  tokens: TokenBook;
  installations: InstallationBook;
  runs: RunBook;
  formerNames: FormerNames;
  /** What the App asks every account for. */
  asked: Grants;
  hooks: Hooks;
  /** The mail that the product sent; undefined where it is not caught here. */
  mails: (() => readonly ReceivedMail[]) | undefined;
};
