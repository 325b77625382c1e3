import type { AppManifest } from '../app-manifest.ts';
import { type Found, ok, problem } from './finding.ts';

/** The App as GitHub knows it. */
export type RegisteredApp = {
  slug: string;
  permissions: Record<string, string>;
  events: string[];
};

export type AppDeps = {
  expected: Pick<AppManifest, 'default_permissions' | 'default_events'>;
  /** Rejects with a sentence for the operator. */
  readApp(): Promise<RegisteredApp>;
};

const LEVELS = ['read', 'write', 'admin'];

/** Whether GitHub accepts the App's key, and the App has the permissions and events of app.yml. */
export async function checkApp({ expected, readApp }: AppDeps): Promise<Found[]> {
  const app = await readApp().catch((error: Error) => error.message);
  if (typeof app === 'string') return [problem(app)];
  const permissions = Object.entries(expected.default_permissions)
    .filter(([name, level]) => LEVELS.indexOf(app.permissions[name] ?? '') < LEVELS.indexOf(level))
    .map(([name, level]) => `${name}: ${level}`);
  const events = expected.default_events.filter((name) => !app.events.includes(name));
  const found = [
    permissions.length > 0 &&
      problem(
        `The App ${app.slug} lacks ${permissions.join(', ')}. Add it in the App's settings on GitHub, then accept it in each account that installed the App.`,
      ),
    events.length > 0 &&
      problem(
        `The App ${app.slug} isn't subscribed to ${events.join(', ')}. Subscribe it in its settings on GitHub.`,
      ),
  ].filter((one) => one !== false);
  return found.length > 0
    ? found
    : [ok(`GitHub accepts the App ${app.slug}, and it has the permissions and events of app.yml.`)];
}
