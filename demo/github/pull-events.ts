import type { Response } from 'express';
import type { Pull } from './github-objects.ts';
import type { RouteDeps } from './route-deps.ts';
import { senderOf } from './sender.ts';

/** Sends the `pull_request` webhooks that the emulator omits, with the other fields of the action. */
export function createPullEvents({ emulator, webhooks }: Pick<RouteDeps, 'emulator' | 'webhooks'>) {
  return async (res: Response, action: string, pull: Pull, more: object): Promise<void> => {
    const sender = await senderOf(emulator, res);
    const repository = await emulator.get(`/repos/${pull.base.repo.full_name}`);
    const payload = { action, number: pull.number, pull_request: pull, ...more, repository, sender };
    webhooks.send(pull.base.repo.owner.login, { name: 'pull_request', payload });
  };
}
