import type PocketBase from 'pocketbase';
import type { BatchService } from 'pocketbase';
import type { NoticeKind } from '../accounts/ports.ts';
import type { Entry, Owner, Remover } from '../authenticators/ports.ts';
import type { ActivityData, ActivityKind } from '../contract/activity.ts';
import type { AuthenticatorType } from '../contract/authenticators.ts';
import { first, ignoreMissing, isDuplicate, type StoreClient } from './client.ts';
import { ownersOf } from './memberships.ts';
import { queue } from './notices.ts';
import { recordIdOf } from './record-id.ts';
import { spend } from './spent.ts';

/** The authenticator that comes or goes. */
export type Subject = { type: AuthenticatorType; label: string };

/** Whether the person has an authenticator in the organization, by the records themselves. */
async function count(records: PocketBase, { userId, org }: Owner): Promise<number> {
  const [credentials, apps] = await Promise.all([
    records.collection('webauthn').getList(1, 2, {
      filter: records.filter('user = {:userId} && org = {:org}', { userId, org: org.recordId }),
      skipTotal: true,
    }),
    records.collection('totps').getList(1, 1, {
      filter: records.filter('user_id = {:userId} && org_id = {:org}', { userId, org: org.recordId }),
      skipTotal: true,
    }),
  ]);
  return credentials.items.length + apps.items.length;
}

const enrolledId = ({ userId, org }: Owner) => recordIdOf(`enrolled:${userId}:${org.recordId}`);

/**
 * Adds an authenticator, all of it or nothing. A first one takes the record
 * that can exist once; one that was left behind without an authenticator is
 * cleared away, and it is tried again.
 *
 * @returns False where a first one meets another.
 */
export async function enrol(
  client: StoreClient,
  owner: Owner,
  entry: Entry,
  subject: Subject,
  add: (batch: BatchService) => void,
): Promise<boolean> {
  return client.run(async (records) => {
    for (const isLast of [false, true]) {
      const batch = records.createBatch();
      if (entry === 'first')
        batch.collection('enrolled').create({ id: enrolledId(owner), key: enrolledId(owner) });
      add(batch);
      const { type } = subject;
      log(batch, type === 'totp' ? 'totpRegister' : 'webauthnRegister', owner, owner, subject);
      tell(batch, 'authenticatorAdded', owner.userId, owner, owner, subject);
      if (entry === 'first') await tellOwners(records, batch, owner, subject);
      try {
        await batch.send();
        return true;
      } catch (error) {
        const taken = entry === 'first' ? await takenBy(records, owner) : null;
        if (!taken) throw error;
        if (isLast || (await count(records, owner)) > 0) return false;
        // One alone clears it away, so that nobody clears what another has made in its place.
        if (!(await spend(client, `left:${taken.id}:${taken.created}`, new Date()))) return false;
        await records.collection('enrolled').delete(taken.id).catch(ignoreMissing);
      }
    }
    return false;
  });
}

/** The record that makes a first one the first, where it is there. */
async function takenBy(records: PocketBase, owner: Owner): Promise<{ id: string; created: string } | null> {
  return first(records, 'enrolled', 'id = {:id}', { id: enrolledId(owner) });
}

/**
 * Removes an authenticator, all of it or nothing.
 *
 * @param input.key Names the record; it is spent, so that of two removals one counts.
 * @returns False where it was removed before.
 */
export async function expel(
  client: StoreClient,
  input: { owner: Owner; by: Remover; key: string; subject: Subject },
  remove: (batch: BatchService) => void,
): Promise<boolean> {
  const { owner, by, key, subject } = input;
  return client.run(async (records) => {
    const batch = records.createBatch();
    batch.collection('spent').create({ key, expires: '2999-01-01 00:00:00.000Z' });
    remove(batch);
    const isOwn = by.userId === owner.userId;
    log(batch, isOwn ? 'authenticatorDelete' : 'memberAuthenticatorDelete', owner, by, subject);
    if (isOwn) {
      tell(batch, 'authenticatorRemoved', owner.userId, owner, by, subject);
    } else {
      tell(batch, 'memberAuthenticatorRemoved', owner.userId, owner, by, subject);
      tell(batch, 'ownerRemovedAuthenticator', by.userId, owner, by, subject);
    }
    if ((await count(records, owner)) <= 1 && (await takenBy(records, owner))) {
      batch.collection('enrolled').delete(enrolledId(owner));
    }
    try {
      await batch.send();
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  });
}

function log(batch: BatchService, activity: ActivityKind, owner: Owner, by: Remover, subject: Subject): void {
  const data: ActivityData = {
    ...subject,
    login: by.login,
    user: owner.login,
    org: owner.org.name,
  };
  batch.collection('gh_activities').create({ activity, user_id: by.userId, org: owner.org.recordId, data });
}

function tell(
  batch: BatchService,
  kind: NoticeKind,
  userId: string,
  owner: Owner,
  by: Remover,
  subject: Subject,
): void {
  const data = { ...subject, login: owner.login, by: by.login, org: owner.org.name };
  queue(batch, { kind, userId, data });
}

async function tellOwners(
  records: PocketBase,
  batch: BatchService,
  owner: Owner,
  subject: Subject,
): Promise<void> {
  for (const userId of await ownersOf(records, owner.org.recordId)) {
    if (userId !== owner.userId) tell(batch, 'firstAuthenticator', userId, owner, owner, subject);
  }
}
