import { describe, expect, it } from '@jest/globals';
import { createReadMyUserRecord } from '../../src/adapters/pocketbase/people/sessions.ts';
import { recordsOf } from '../../src/adapters/pocketbase/records/records-of.ts';
import type { NoticeKind } from '../../src/notices/ports.ts';
import { anImage, anOpenPull, HEAD } from '../support/fakes.ts';
import { all, one, org, person, records, two } from '../support/own-store.ts';

const HOUR_MS = 60 * 60_000;

describe('a slot of a quota', () => {
  const RULE = { most: 3, ms: HOUR_MS };

  it('is taken only as often as the limit allows, over several processes', async () => {
    const key = `slots-${org.orgId}`;
    const now = new Date();
    const taken = await Promise.all(
      Array.from({ length: 12 }, (_, at) => (at % 2 ? one : two).quota.take(key, RULE, now)),
    );
    expect(taken.filter((slot) => !(slot instanceof Date))).toHaveLength(3);
    for (const next of taken) if (next instanceof Date) expect(next.getTime()).toBe(now.getTime() + HOUR_MS);
  });

  it('is free again after its time, and immediately if it is released', async () => {
    const { quota } = one;
    const key = `again-${org.orgId}`;
    const now = new Date('2030-01-01T00:00:00Z');
    const later = (ms: number) => new Date(now.getTime() + ms);
    const first = await quota.take(key, RULE, now);
    await quota.take(key, RULE, later(1_000));
    await quota.take(key, RULE, later(2_000));
    expect(await quota.take(key, RULE, later(3_000))).toEqual(later(HOUR_MS));
    if (!(first instanceof Date)) await first.release();
    expect(await quota.take(key, RULE, later(4_000))).not.toBeInstanceOf(Date);
    expect(await quota.take(key, RULE, later(HOUR_MS))).toEqual(later(HOUR_MS + 1_000));
    expect(await quota.take(key, RULE, later(HOUR_MS + 1_000))).not.toBeInstanceOf(Date);
  });
});

describe('wrong one-time codes', () => {
  it('are each counted once by several processes, also if one came while the others were cleared', async () => {
    const mona = await person('mona');
    const claim = (attempt: number, { codeFailures } = one) =>
      codeFailures.claim(mona.userId, org.id, attempt, new Date());
    const same = await Promise.all(Array.from({ length: 20 }, (_, at) => claim(1, at % 2 ? one : two)));
    expect(same.filter(Boolean)).toHaveLength(1);
    await two.codeFailures.clear(mona.userId, org.id);
    await claim(50);
    expect(await two.codeFailures.read(mona.userId, org.id)).toMatchObject({ count: 1, next: 51 });
  });
});

describe('two changes of one record at the same moment', () => {
  it('are both kept, so that nothing takes back a withdrawal or the end of a session', async () => {
    const change = ({ client }: typeof one, fields: object) =>
      recordsOf(client, 'organizations').update(org.id, fields);
    const kept: unknown[] = [];
    for (let round = 1; round <= 30; round += 1) {
      const [html_url, members_at] = [`https://github.com/${round}`, new Date(round * 1_000).toISOString()];
      await Promise.all([change(one, { html_url }), change(two, { members_at })]);
      const stored = await records.collection('organizations').getOne(org.id);
      kept.push([stored.html_url === html_url, Date.parse(stored.members_at) === round * 1_000]);
    }
    expect(kept).toEqual(kept.map(() => [true, true]));
  });
});

it('an e-mail code allows a fixed number of tries and is used up once, over several processes', async () => {
  const { userId } = await person('mona');
  const sig = `sig-${org.orgId}`;
  const expires = new Date(Date.now() + 600_000);
  const code = { sig, userId, email: 'Mona@example.org', orgId: 0, ts: Date.now(), nonce: 'n', expires };
  await one.emailCodes.add(code);
  const found = await two.emailCodes.find(sig);
  if (!found) throw new Error('not stored');
  expect(found).toEqual({ id: expect.any(String), ...code });
  const processes = Array.from({ length: 10 }, () => [one, two]).flat();
  const tries = await Promise.all(processes.map(({ emailCodes }) => emailCodes.takeTry(found, 5)));
  expect(tries.filter((left) => left !== null).sort()).toEqual([0, 1, 2, 3, 4]);
  const used = await Promise.all(processes.map(({ emailCodes }) => emailCodes.consume(found)));
  expect(used.filter(Boolean)).toHaveLength(1);
});

describe('a notice that is still to be sent', () => {
  it('is claimed by one process for each try', async () => {
    const mona = await person('mona');
    const now = new Date();
    const [{ notices }, { notices: others }] = [one, two];
    await notices.add({ kind: 'codesLocked', userId: mona.userId, data: { org: 'o' } }, now);
    const own = async () => (await notices.due(now, 1000)).find(({ userId }) => userId === mona.userId);
    const notice = await own();
    if (!notice) throw new Error('not due');
    expect(notice).toMatchObject({ kind: 'codesLocked', data: { org: 'o' }, to: '', tries: 0 });
    const claims = await Promise.all([notices.claim(notice), others.claim(notice), notices.claim(notice)]);
    expect(claims.filter(Boolean)).toHaveLength(1);
    await notices.retry(notice, now);
    const again = await own();
    expect(again?.tries).toBe(1);
    expect(await others.claim(again ?? notice)).toBe(true);
    await notices.done(notice);
    await notices.done(notice);
    await notices.retry(notice, now);
    expect(await own()).toBeUndefined();
  });
});

it('a person’s own record has what is private, and a new address is stored with its notices', async () => {
  const { userId, login } = await person('mona');
  await one.memberships.saveOfPerson({ userId, githubId: org.orgId, login }, [{ org, role: 'member' }]);
  await records.collection('organizations').update(org.id, { image: anImage() });
  const token = await one.sessions.begin(userId);
  const read = createReadMyUserRecord(two.client, 'https://guard.example.org');
  const own = async () => (await read(token, 'org_members_via_user.org'))?.record;
  expect(await own()).toMatchObject({ id: userId, email: '', image: null, authenticators: {} });
  const notice = (kind: NoticeKind, to: string) => ({ kind, userId, data: { login }, to });
  await one.users.setAddress(userId, 'two@example.org', [
    notice('addressConfirmed', 'two@example.org'),
    notice('addressReplaced', 'one@example.org'),
  ]);
  await one.users.setImage(userId, anImage());
  const membership = {
    image: anImage(),
    host: 'https://guard.example.org',
    expand: { org: { name: org.name } },
  };
  expect(await own()).toMatchObject({
    ...{ email: 'two@example.org', image: anImage() },
    expand: { org_members_via_user: [membership] },
  });
  expect(JSON.stringify(await own())).not.toMatch(/unconfirmed|tokenKey|password|"address"/);
  const queued = await all<{ kind: string; to: string }>('notices', `user = "${userId}"`);
  expect(queued.map(({ kind, to }) => [kind, to])).toEqual([
    ['addressConfirmed', 'two@example.org'],
    ['addressReplaced', 'one@example.org'],
  ]);
});

describe('an open pull request without an approval', () => {
  const pull = anOpenPull();
  const at = (s: number) => new Date(Date.UTC(2026, 4, 4, 12, 0, s));

  it('waits since it got its head, and is no longer listed once it is approved, closed or out of reach', async () => {
    const pulls = one.openPulls;
    const list = () => one.pullSearch.list(org.id, { search: '', after: '', most: 10 });
    const own = (pr: number) => ({ ...pull, repoId: org.orgId * 10, pr });
    await pulls.save(org.orgId, [own(1), own(2), own(3)], at(1));
    await pulls.save(org.orgId, [{ ...own(4), repoId: org.orgId * 10 + 1 }], at(2));
    await pulls.save(org.orgId, [{ ...own(1), title: 'Another title' }], at(3));
    await pulls.save(org.orgId, [{ ...own(2), head: 'cd'.repeat(20) }], at(4));
    const waiting = async () => (await list()).pulls.map(({ pr, since }) => [pr, since.getUTCSeconds()]);
    expect((await waiting()).toSorted()).toEqual([
      [1, 1],
      [2, 4],
      [3, 1],
      [4, 2],
    ]);
    expect((await waiting()).at(-1)).toEqual([2, 4]);
    await pulls.save(org.orgId, [{ ...own(1), approved: true }], at(5));
    const known = await pulls.ofRepository(org.orgId * 10);
    expect(known.map(({ pr }) => pr).sort()).toEqual([1, 2, 3]);
    await pulls.remove(org.orgId * 10, 3);
    expect(await waiting()).toEqual([
      [4, 2],
      [2, 4],
    ]);
    await pulls.removeOtherRepositories(org.orgId, [org.orgId * 10]);
    expect(await list()).toMatchObject({ total: 1, pulls: [{ pr: 2 }] });
  });

  it('is listed by page, and found by its title, repository or author', async () => {
    const repoId = org.orgId * 10 + 5;
    const titles = ['100% _done_', 'Fix "quotes"', 'Fix two', 'Fix three', 'Other'];
    for (const [index, title] of titles.entries())
      await one.openPulls.save(
        org.orgId,
        [{ ...pull, repoId, repoName: title === 'Other' ? 'fixtures' : 'hello', pr: index + 1, title }],
        at(index < 3 ? 1 : index),
      );
    const list = (search: string, after = '', most = 2) =>
      one.pullSearch.list(org.id, { search, after, most });
    const seen: number[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page = await list('fix', next);
      expect(page.total).toBe(4);
      seen.push(...page.pulls.map(({ pr }) => pr));
      next = page.next;
    }
    expect([...seen.slice(0, 2).sort(), ...seen.slice(2)]).toEqual([2, 3, 4, 5]);
    for (const [search, total] of [
      ['%', 1],
      ['_', 1],
      ['"', 1],
      ['" || title != "', 0],
      ['MON', 5],
    ] as const)
      expect([search, (await list(search)).total]).toEqual([search, total]);
    expect(await list('', 'no place/" || 1=1 || id="')).toMatchObject({ total: 5, pulls: [], next: null });
  });

  it('is found by its repository, a rule that it doesn’t meet, and how long it waits', async () => {
    const repoId = org.orgId * 10 + 6;
    const lack = (rule: string) => ({ rule, missing: '"rule":"x"', lacking: 1, counted: [], excluded: [] });
    const names = ['', 'Two', 'R&D <x> "100%_"', '\\ ключ 鍵'];
    for (const [index, rule] of names.entries()) {
      const own = { ...pull, repoId, repoName: index < 2 ? 'hello' : 'Hello.web', pr: index + 1 };
      await one.openPulls.save(org.orgId, [{ ...own, lacks: [lack('Both'), lack(rule)] }], at(index));
    }
    const numbers = async (filter: object) => {
      const { total, pulls } = await one.pullSearch.list(org.id, {
        search: '',
        after: '',
        most: 9,
        ...filter,
      });
      return [total, ...pulls.map(({ pr }) => pr)];
    };
    expect(await numbers({ repo: 'hello' })).toEqual([2, 1, 2]);
    expect(await numbers({ repo: 'Hello.web', until: at(2) })).toEqual([1, 3]);
    expect(await numbers({ rule: 'Both' })).toEqual([4, 1, 2, 3, 4]);
    for (const [index, rule] of names.entries())
      expect([rule, await numbers({ rule })]).toEqual([rule, [1, index + 1]]);
    for (const rule of ['x', 'Bot', '%', 'T_o', '" || "'])
      expect([rule, await numbers({ rule })]).toEqual([rule, [0]]);
  });

  it('is not written again if nothing has changed, with any title', async () => {
    const pulls = one.openPulls;
    for (const [pr, title] of [
      [1, 'plain'],
      [2, 'é'.repeat(600)],
      [3, '<script> “ключ” 鍵'],
    ] as const) {
      const own = { ...pull, repoId: org.orgId * 10 + 2, pr, title };
      await pulls.save(org.orgId, [own], at(1));
      const [before] = await all<{ id: string }>('open_pulls', `repo_id = ${own.repoId} && pr = ${pr}`);
      await records.collection('open_pulls').update(before?.id ?? '', { since: at(9).toISOString() });
      await pulls.save(org.orgId, [own], at(2));
      const [after] = await all<{ since: string }>('open_pulls', `repo_id = ${own.repoId} && pr = ${pr}`);
      expect([pr, new Date(after?.since ?? 0)]).toEqual([pr, at(9)]);
    }
  });

  it('has a long title shortened between two characters', async () => {
    const own = { ...pull, repoId: org.orgId * 10 + 4, title: `a${'😀'.repeat(400)}` };
    await one.openPulls.save(org.orgId, [own], at(1));
    const [stored] = await all<{ title: string }>('open_pulls', `repo_id = ${own.repoId}`);
    expect(stored?.title).toBe(`a${'😀'.repeat(249)}`);
  });

  it('is found with all others of its head, approved or not, even if they are more than fifty', async () => {
    const repoId = org.orgId * 10 + 3;
    const many = Array.from({ length: 60 }, (_, at) => ({ ...pull, repoId, pr: at + 1, approved: at < 10 }));
    await one.openPulls.save(org.orgId, many, at(1));
    expect(await one.openPulls.withHead(repoId, HEAD)).toHaveLength(60);
    expect((await one.pullSearch.list(org.id, { search: '', after: '', most: 1 })).total).toBe(50);
  });
});
