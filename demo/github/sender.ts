import type { Response } from 'express';
import { callerOf } from './authenticate.ts';
import type { EmulatorClient } from './emulator-client.ts';
import type { Account } from './github-objects.ts';

/** The `sender` of the webhook that a request causes: the person who sent the request, or octocat. */
export function senderOf(emulator: EmulatorClient, res: Response): Promise<Account | undefined> {
  const caller = callerOf(res);
  const isPerson = caller.kind === 'personal' || caller.kind === 'user';
  return emulator.get<Account>('/user', isPerson ? caller.emulatorToken : undefined);
}
