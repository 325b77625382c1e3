import { createBackupTurns } from '../../src/adapters/pocketbase/backups/daily-backups.ts';
import type { StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { createReadMyUserRecord } from '../../src/adapters/pocketbase/people/sessions.ts';
import { deleteExpired } from '../../src/adapters/pocketbase/records/delete-expired.ts';
import type { connectStore } from '../../src/app/connect-store.ts';
import { readPage } from '../../web/src/features/organization/authenticators/read-page.ts';
import {
  type LogQuery,
  readOlder,
  resolveFilters,
  suggestLogins,
} from '../../web/src/features/organization/log/read-log.ts';
import type { RecordStore } from '../../web/src/lib/react/record-store.ts';
import { listOwnAuthenticators } from '../../web/src/lib/signing/authenticator.ts';
import type { flat } from './every-room.ts';
import { aGroup, anApproval, anInstallation, anOpenPull, aRepository, aWeakening, HEAD } from './fakes.ts';

const AT = new Date('2026-05-04T12:00:00Z');
const LATER = new Date('2036-05-04T12:00:00Z');
const MOST = 50;

type Ports = ReturnType<typeof flat<ReturnType<typeof connectStore>>>;
type Holder = Parameters<Ports['totpApps']['add']>[1];

const all = (...asked: unknown[]) => Promise.all(asked);

/** Calls everything that asks the record store for records by a condition, and the server's changes around it. */
export async function askEverything(
  client: StoreClient,
  ports: Ports,
  person: { userId: string; githubId: number; login: string },
): Promise<void> {
  const { organizations, memberships, openPulls, repositoryChecks, mergeGroups } = ports;
  const { userId, githubId, login } = person;
  const org = await organizations.save(anInstallation());
  const { id, orgId } = org;
  for (const role of ['admin', 'member'] as const) await memberships.save(org, person, role);
  await memberships.saveOfPerson(person, [{ org, role: 'admin' }]);
  await memberships.replace(org, [{ ...person, role: 'admin' }], AT);
  await openPulls.save(orgId, [anOpenPull(), anOpenPull({ pr: 8, approved: true })], AT);
  await repositoryChecks.sync(id, [aRepository()]);
  await repositoryChecks.put(id, aRepository());
  const known = { defaultBranch: 'main', rulesets: [], branchProtection: [], deployKeys: [] };
  await repositoryChecks.save(
    { ...aRepository(), orgRecordId: id },
    { required: 'no', bypass: null, environments: null, known, at: AT, due: AT },
  );
  const holder = { ...person, org: { recordId: id, id: orgId, name: org.name } };
  const app = await askAboutAuthenticators(ports, holder);
  await all(organizations.byId(id), organizations.byInstallation(5), organizations.byName(org.name));
  await all(memberships.of(userId), memberships.find(id, githubId), memberships.byLogin(id, login));
  await memberships.count(id);
  await memberships.ownersToNotify(id);
  await ports.candidates.some(id, ['admin'], MOST);
  for (const search of ['', 'o']) {
    for (const state of ['all', 'missing', 'one', 'pending'] as const)
      await memberships.list(id, { state, search, after: 'a', most: MOST });
    for (const state of ['all', 'protected', 'anySource', 'notEnforced', 'unknown'] as const)
      await repositoryChecks.list(id, { state, search, after: 'a', most: MOST });
    for (const after of ['', '2026-05-04 12:00:00.000Z/x'])
      await ports.pullSearch.list(id, { search, after, most: MOST });
  }
  await all(repositoryChecks.gates(id), repositoryChecks.gated());
  await all(repositoryChecks.counts(id), repositoryChecks.due(LATER, { most: MOST, except: ['other'] }));
  await repositoryChecks.markDue({ orgRecordId: id, checkedBefore: LATER });
  await ports.ownApprovals.newest(orgId, githubId, MOST);
  await ports.pullSearch.list(id, { search: '', after: '', most: MOST, repo: 'hello', rule: '', until: AT });
  await ports.pullSearch.list(id, { search: '', after: '', most: MOST, approved: true });
  await ports.waitingPulls.list(id, MOST);
  await ports.waitingPulls.changedSince(id, AT, MOST);
  await ports.waitingPulls.since(id, AT, { number: 1, size: MOST });
  await all(
    openPulls.withHead(42, HEAD),
    openPulls.find(orgId, { repoId: 42, pr: 7 }),
    openPulls.ofRepository(42),
    openPulls.readSaved(42),
  );
  await all(openPulls.repositories({ repoId: 42 }, 2), openPulls.repositories({ pr: 7, head: HEAD }, 2));
  await all(openPulls.greenRepositories(), openPulls.removeOtherRepositories(orgId, [42]));
  await all(ports.checkRunRecords.latest(42, HEAD), ports.checkRunRecords.attempts(42, HEAD));
  await all(ports.checkRunRecords.latestOf(42, [HEAD, 'x']), ports.approvals.ofHeads(42, [HEAD, 'x']));
  await all(ports.commitTrees.of(HEAD), ports.pushers.of(42, 7, HEAD), ports.policies.inForce(orgId));
  await ports.initiators.of(42, 7);
  await ports.deliveries.isProcessed('x');
  await ports.deliveries.lastReceivedAt();
  await ports.deliveries.lastReceivedAt(5);
  await all(ports.unheardChanges.note(5, 1000), ports.unheardChanges.list(1000));
  await ports.users.userIdOf(githubId);
  await all(ports.users.contact(userId), ports.users.avatars([githubId]));
  await ports.profiles.of([githubId]);
  await ports.users.unlink(userId, githubId);
  await all(ports.noticeChoices.save(userId, 'daily', AT), ports.noticeChoices.readers('daily'));
  await all(ports.noticeChoices.of(userId), ports.users.githubIdOf(userId), ports.sessions.read('x'));
  await all(ports.notices.due(AT, MOST), ports.notices.count(), ports.statistics.days(orgId));
  await all(ports.pullNotices.about(userId), ports.pullNotices.count(userId, AT));
  await all(ports.challenges.find('x'), ports.deviceLinks.find('x'), ports.emailCodes.find('x'));
  await all(ports.codeFailures.read(userId, id), ports.quota.take('x', { most: 1, ms: 1 }, AT));
  await all(ports.reconcileReports.latest(), ports.organizations.all());
  await createBackupTurns(client).lastMade();
  await createBackupTurns(client).storeMade();
  await askAboutWeakenings(ports, org);
  await ports.memberReminders.remindable(id, { memberId: undefined, most: MOST });
  await ports.memberReminders.remindable(id, { memberId: githubId, most: MOST });
  const notice = { kind: 'registrationReminder', data: {}, userId } as const;
  await ports.memberReminders.add(id, { githubId, at: AT, notSince: AT, notice });
  const group = await mergeGroups.add({ installation: 5, owner: 'o', name: 'r' }, aGroup(), HEAD);
  await mergeGroups.find(group.repoId, group.head);
  await all(mergeGroups.unfinished(), mergeGroups.unfinished(group), mergeGroups.since(AT));
  await askAboutApprovals(ports, holder);
  await askAboutTheLog(ports, holder);
  // Most records that expire have not expired yet.
  await deleteExpired(client, AT);
  await ports.totpApps.remove(app, holder, { effects: effectsOf(holder), lost: null });
  await openPulls.removeRepository(42);
  await repositoryChecks.remove([42]);
}

const effectsOf = ({ userId, org }: Holder) => ({
  activity: { activity: 'setOrgImage', userId, orgRecordId: org.recordId, data: {} } as const,
  notices: [],
});

async function askAboutAuthenticators(ports: Ports, holder: Holder) {
  const { credentials, totpApps, vouches, enrolments } = ports;
  const { userId, githubId, org } = holder;
  const effects = effectsOf(holder);
  const secret = new Uint8Array(20);
  const admission = { order: 'first', enrolled: 'alone' } as never;
  await totpApps.add({ label: 'App', secret, step: 1 }, holder, admission, effects);
  const app = await totpApps.find(userId, org.recordId);
  if (!app) throw new Error('the app is missing');
  await totpApps.add({ label: 'App', secret, step: 1 }, holder, admission, effects);
  await totpApps.consume(app, 2);
  await all(credentials.list(userId, org.recordId), credentials.byId('x'), credentials.find('x'));
  await all(credentials.rename('x', 'y', effects), credentials.hasRecords(userId, org.recordId));
  await totpApps.byId(app.id);
  await totpApps.hasRecord(userId, org.recordId);
  await credentials.all(userId, org.recordId);
  await ports.heldAuthenticators.ofMembers(org.recordId);
  await ports.heldAuthenticators.count(org.recordId);
  await all(vouches.waiting(org.recordId, { unvouchedToo: true, most: 9 }), vouches.among(['x', 'y']));
  await vouches.waiting(org.recordId, { unvouchedToo: false, most: 9 });
  await all(enrolments.vouches(org.recordId, 'x'), enrolments.registrations(org.recordId, githubId));
  await enrolments.enrolled(org.recordId, githubId, 'x');
  await ports.enrolmentAddresses.holderOf(org.recordId, 'x');
  await vouches
    .confirm({ id: 'x', pending: '' } as never, { holder, voucher: holder, proof: null } as never, effects)
    .catch(() => false);
  await ports.lostAuthenticators.pending();
  await ports.lostAuthenticators.done({ id: 'x' } as never).catch(() => undefined);
  const url = { url: 'https://a.example', host: 'a.example', secret: 's', position: 0, at: AT };
  const hook = await ports.outgoingWebhooks.set(
    { ...org, orgId: org.id, id: org.recordId, installationId: 5 },
    { ...url, kind: 'webhook' },
    effects,
  );
  if (!hook) throw new Error('the hook is missing');
  await ports.outgoingWebhooks.of(org.recordId);
  await ports.outgoingWebhooks.due(LATER, MOST);
  return app;
}

async function askAboutApprovals(
  { approvals, provedApprovals, deployments }: Ports,
  { githubId, org }: Holder,
) {
  const repo = { installation: 5, owner: 'o', name: 'r' };
  const wanted = { orgId: org.id, githubId, head: HEAD };
  const { id: orgId } = org;
  const lost = { id: 'x', method: 'passkey', holder: { githubId, login: 'mona' }, org, since: AT };
  const period = { orgId, from: AT, to: LATER, most: MOST };
  const after = { stored: AT, id: 'x' };
  const deployment = { repoId: 42, run: 77, attempt: 1, environment: 'release' };
  const about = { head: HEAD, ref: 'main', event: 'push', workflow: 'release.yml' };
  const at = { installation: 5, owner: 'octo-org', name: 'hello' };
  for (let times = 0; times < 2; times += 1)
    await deployments.request({ ...deployment, ...about, repo: at, orgId: 9 });
  await all(approvals.ofDeployment(deployment), deployments.find(deployment), deployments.due());
  await all(deployments.waiting(), deployments.waiting(9), deployments.repositories(AT));
  await all(approvals.ofHead(42, HEAD), approvals.ofPull(42, 7));
  await all(approvals.unreportedHeads(), approvals.ofPerson(wanted), approvals.madeWith(lost as never));
  await all(approvals.deniers(9), approvals.denialsOf(wanted), approvals.findDenial(9, 'x'.repeat(15)));
  await approvals
    .withdraw({ ...anApproval(), repo }, effectsOf({ userId: '', org } as never))
    .catch(() => false);
  await all(provedApprovals.ofHead(orgId, HEAD), provedApprovals.erasedOf(org.recordId, HEAD));
  await all(provedApprovals.inPeriod(period), provedApprovals.inPeriod({ ...period, repoId: 42, after }));
  await provedApprovals.inPeriod({ orgId, most: MOST });
  await provedApprovals.inPeriod({ orgId, after, most: MOST });
  await provedApprovals.repositoryNamed(orgId, 'o/r');
}

async function askAboutTheLog(
  { auditLog: log, logChecks, organizations, signingKeys }: Ports,
  holder: Holder,
) {
  const { recordId: org, id: orgId } = holder.org;
  const found = await organizations.byOrgId(orgId);
  if (!found) throw new Error('the organization is missing');
  for (let entry = 0; entry < 5; entry += 1)
    await organizations.setImage(found, {} as never, effectsOf(holder).activity);
  await all(log.newest(org), log.atSize(org, 5), log.ofSubject(org, 'x'), log.after(org, 2, MOST));
  await all(log.period(org, { from: AT, to: LATER }), log.period(org, {}), log.paths(org, [1, 4], 6));
  await all(log.frontier(org, 5), log.newestOf(5), signingKeys.published(), signingKeys.current());
  await all(logChecks.catchUp({ id: org, orgId }, 5), logChecks.of(org));
}

/** Reads all that the dashboard's pages read from the record store directly, as a member. */
export async function askAsTheDashboard(
  client: StoreClient,
  store: RecordStore,
  { org, userId, token }: { org: string; userId: string; token: string },
): Promise<void> {
  const place = { at: '2026-05-04 12:00:00.000Z', id: 'x' };
  const days = { from: '2026-05-04', to: '2026-05-05' };
  const filters = { person: '', repository: '', kind: '', from: '', to: '' };
  const queries: Partial<LogQuery>[] = [
    {},
    { kind: 'vouch' },
    { by: { ids: ['x'], areAll: true } },
    { by: { ids: ['x', 'y'], areAll: true } },
    { by: { login: 'mona' } },
    { repository: { name: 'hello', isWhole: true } },
    { repository: { name: 'hello', isWhole: false } },
    { from: place.at },
    { from: place.at, to: place.at, kind: 'vouch', by: { ids: ['x'], areAll: true } },
  ];
  for (const query of queries)
    for (const before of [null, place]) await readOlder(store, { org, ...query }, before);
  await resolveFilters(store, org, { ...filters, ...days, person: 'mo', repository: 'he' } as never);
  await suggestLogins(store, org, 'mo');
  for (const search of ['', 'mo'])
    for (const type of ['', 'passkey', 'totp'] as const)
      for (const before of [undefined, place])
        for (const holder of [null, userId])
          await readPage(store, {
            org,
            filters: { search, type } as never,
            before,
            holder,
            askNumbers: null,
          });
  await listOwnAuthenticators(store, userId);
  await createReadMyUserRecord(client, 'https://guard.example.org')(
    token,
    'org_members_via_user,org_members_via_user.org',
  );
}

async function askAboutWeakenings(
  { weakenings, knownAccounts, repositoryChecks }: Ports,
  org: Awaited<ReturnType<Ports['organizations']['save']>>,
): Promise<void> {
  const { id } = org;
  await weakenings.add(org, ...aWeakening(org));
  await weakenings.open(id);
  await weakenings.promoted(id);
  await weakenings.lasting(id, 42, 'app');
  await weakenings.newest(id);
  await weakenings.find(id, 1);
  await weakenings.unmailed({ since: AT, until: LATER });
  await knownAccounts.get(id);
  await all(repositoryChecks.get(42), repositoryChecks.due(LATER, { most: MOST, only: id }));
  await weakenings.mail(org, () => [], AT);
  const by = { id: 12, login: 'octocat' };
  await weakenings.acknowledge(org, 0, { by, at: AT, signed: null }, aWeakening(org)[1].effects);
}
