import type { NoticeChoice } from '../../../src/contract/inbox.ts';
import {
  headKey,
  type PullHead,
  type PullNotices,
  type Reader,
  type WaitingPull,
} from '../../../src/inbox/ports.ts';
import { createReadPools, createTeamAnswers, createWaitingLists } from '../../../src/inbox/read-where.ts';
import { createVisibleRepositories } from '../../../src/inbox/visible-repositories.ts';
import { createTokenChecks } from '../../../src/people/session.ts';
import { anInstallation, fakeGitHub, fakeStores, type Stage } from '../../support/fakes.ts';

export const mona = { userId: 'mona', githubId: 2, login: 'mona' };
export const octocat = { userId: 'octocat', githubId: 3, login: 'octocat' };

type Mail = Parameters<PullNotices['queue']>[0];

function ports(stage: Stage) {
  const waiting = { pulls: [] as WaitingPull[] };
  const chosen = new Map<string, { choice: NoticeChoice; at: Date }>();
  const readers: Omit<Reader, 'chose'>[] = [];
  const mails: Mail[] = [];
  /** The approvals of the person who asks. */
  const own: (PullHead & { reported: Date | null })[] = [];
  const mailsOf = (userId: string) => mails.filter(({ notice }) => notice.userId === userId);
  return {
    readers,
    mails,
    wait: (...pulls: WaitingPull[]) => Object.assign(waiting, { pulls }),
    waitingPulls: {
      list: (_org: string, most: number) =>
        stage.play('waitingPulls.list', () =>
          waiting.pulls.toSorted((a, b) => Number(a.since) - Number(b.since)).slice(0, most),
        ),
      changedSince: (_org: string, since: Date) =>
        stage.play('waitingPulls.changedSince', () =>
          waiting.pulls
            .filter(({ changed }) => changed >= since)
            .toSorted((a, b) => Number(b.changed) - Number(a.changed)),
        ),
    },
    candidates: { some: async () => [] },
    profiles: {
      of: async (githubIds: number[]) =>
        new Map(
          [mona, octocat]
            .filter(({ githubId }) => githubIds.includes(githubId))
            .map(({ githubId, login }) => [githubId, { login, avatarUrl: `https://faces.example/${login}` }]),
        ),
    },
    own,
    ownApprovals: { newest: async () => own },
    noticeChoices: {
      of: async (userId: string) => chosen.get(userId)?.choice ?? 'off',
      save: async (userId: string, choice: NoticeChoice, at: Date) => void chosen.set(userId, { choice, at }),
      readers: async (wanted: NoticeChoice) =>
        readers.flatMap((reader) => {
          const { choice, at: chose } = chosen.get(reader.userId) ?? {};
          return choice === wanted && chose ? [{ ...reader, chose }] : [];
        }),
    },
    pullNotices: {
      about: async (id: string) => new Set(mailsOf(id).flatMap(({ heads }) => heads.map(headKey))),
      count: async (id: string, since: Date) => mailsOf(id).filter(({ at }) => at >= since).length,
      queue: async (mail: Mail) => {
        const before = mailsOf(mail.notice.userId);
        const isUsed = before.some(
          ({ heads, once }) =>
            (once && once.key === mail.once?.key) ||
            heads.some((one) => mail.heads.map(headKey).includes(headKey(one))),
        );
        if (!isUsed) mails.push(mail);
        return !isUsed;
      },
    },
  };
}

/** Mona is a member and octocat an owner of octo-org, whose repository 42 GitHub shows to both. */
export async function world() {
  const stores = fakeStores();
  const { stage, clock } = stores;
  const all = { ...stores, ...fakeGitHub(stage, clock), ...ports(stage) };
  const org = await all.organizations.save(anInstallation());
  for (const person of [mona, octocat]) {
    const { userId, githubId: id, login } = person;
    all.members.set(9, id, 'member');
    all.memberships.put(org, { githubId: id, login, role: 'member' }, { userId });
    all.tokens.owners.set(`of ${login}`, { id, login, avatarUrl: '' });
    all.tokens.shown.set(`of ${login}`, new Map([[42, 'write']]));
    all.readers.push({ ...person, role: 'member', org });
  }
  all.tokens.visible = [anInstallation()];
  stage.calls.splice(0);
  return {
    ...all,
    org,
    origins: { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' },
    visible: createVisibleRepositories({ ...all, checkToken: createTokenChecks(all.tokens, clock) }),
    waitingLists: createWaitingLists(all),
    teamsOf: createTeamAnswers(all),
    readPools: createReadPools(all),
    count: (call: string) => stage.calls.filter((one) => one === call).length,
  };
}
