import { expect, it } from '@jest/globals';
import { requireRegistrant } from '../../../src/authenticators/register/require-registrant.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation } from '../../support/fakes.ts';
import { mona, world } from './world.ts';

/** The outcome for a person who isn't a member, and how often the rules were asked about them. */
async function ask({ suspended = false, removed = false, welcome = true }) {
  const w = await world();
  w.members.roles.clear();
  await w.organizations.save(anInstallation({ suspended }));
  if (removed) await w.organizations.removed(w.org.installationId);
  let asked = 0;
  const isWelcomeFromOutside = async () => {
    asked += 1;
    return welcome;
  };
  const outcome = requireRegistrant({ ...w, isWelcomeFromOutside }, mona, w.org.orgId);
  return { code: await codeOf(outcome), asked };
}

it('lets in an outside collaborator whose approvals a rule takes, and nobody else', async () => {
  expect(await ask({})).toEqual({ code: 'passes', asked: 1 });
  expect(await ask({ welcome: false })).toEqual({ code: 'notMember', asked: 1 });
});

it('asks about no outsider while the installation is suspended or removed', async () => {
  expect(await ask({ suspended: true })).toEqual({ code: 'installationSuspended', asked: 0 });
  expect(await ask({ removed: true })).toEqual({ code: 'installationNotFound', asked: 0 });
});
