import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** The App's manifest: the only list of the permissions and events that OTP Guard asks GitHub for. */
const APP_YML = new URL('../../app.yml', import.meta.url);

const appSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  public: z.boolean(),
  setup_on_update: z.boolean(),
  default_permissions: z.record(z.string(), z.string()),
  default_events: z.array(z.string()),
});

export type AppManifest = z.infer<typeof appSchema>;

/** `app.yml`, from which the App is registered and against which it is checked. */
export const readAppManifest = (): AppManifest => appSchema.parse(parse(readFileSync(APP_YML, 'utf8')));
