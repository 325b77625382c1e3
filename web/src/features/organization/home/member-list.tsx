import { useCallback, useEffect, useRef, useState } from 'react';
import type {
  MemberState,
  OrganizationMember,
  OrganizationMembersAnswer,
} from '../../../../../src/contract/organization.ts';
import { Button } from '../../../components/button.tsx';
import { GithubLink } from '../../../components/github-link.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import type { Poster } from '../../../lib/api-client.ts';
import { useClient, useUser } from '../../../lib/use-client.ts';
import { useLoaded } from '../../../lib/use-loaded.ts';
import type { Organization } from '../../../lib/user.ts';
import { ShowMore } from '../show-more.tsx';
import { type NextPage, useNextPage } from '../use-next-page.ts';
import { EndSessions } from './end-sessions.tsx';
import styles from './home.module.css';
import { memberFacts } from './home-texts.ts';

const TITLES: Record<MemberState, string> = {
  all: 'All members',
  missing: 'Without an authenticator',
  one: 'With only one authenticator',
  pending: 'With an authenticator that waits',
};

type Query = { orgID: number; state: MemberState; after?: string };

/** A page of the members, sorted by login. Rejects with an `ApiError`. */
const readMembers = (api: Poster, query: Query) =>
  api.post<OrganizationMembersAnswer>('/organization-members', query);

type Props = { organization: Pick<Organization, 'orgId' | 'name'>; state: MemberState };

/** The members of an organization, 50 at a time. */
export function MemberList({ organization, state }: Props) {
  const { api } = useClient();
  const { orgId: orgID } = organization;
  const { loaded, setLoaded, reload } = useLoaded(
    useCallback(() => readMembers(api, { orgID, state }), [api, orgID, state]),
  );
  const nextPage = useNextPage(async () => {
    if (loaded.status !== 'ok' || loaded.value.next === null) return;
    const { members } = loaded.value;
    const page = await readMembers(api, { orgID, state, after: loaded.value.next });
    setLoaded({ status: 'ok', value: { ...page, members: [...members, ...page.members] } });
  });
  // The button that opened the list is gone, and its focus with it.
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.focus(), []);

  return (
    <div ref={list} className={styles.missing} tabIndex={-1} aria-busy={loaded.status === 'awaiting'}>
      <h3>{TITLES[state]}</h3>
      {loadFailure(loaded, reload)}
      {loaded.status === 'awaiting' && (
        <p className={styles.link}>
          <Skeleton like="a-member" />
        </p>
      )}
      {loaded.status === 'ok' && (
        <Page {...loaded.value} nextPage={nextPage} organization={organization} state={state} />
      )}
    </div>
  );
}

function Page({
  members,
  next,
  nextPage,
  organization,
  state,
}: OrganizationMembersAnswer & Props & { nextPage: NextPage }) {
  return (
    <>
      {state === 'missing' && (
        <p className={styles.quiet}>
          {members.length === 0
            ? 'Everyone has one now.'
            : "We'll ask them to register one the first time they approve a pull request."}
        </p>
      )}
      <ul>
        {members.map((member) => (
          <Member key={member.id} member={member} organization={organization} />
        ))}
      </ul>
      <ShowMore nextPage={nextPage} hasMore={next !== null}>
        Show more
      </ShowMore>
    </>
  );
}

function Member({ member, organization }: { member: OrganizationMember } & Pick<Props, 'organization'>) {
  const { config } = useClient();
  const { login, signedIn } = member;
  const { username } = useUser();
  const [isEnding, setIsEnding] = useState(false);
  return (
    <li className={styles.member}>
      <div className={styles.about}>
        <GithubLink className={styles.link} href={`${config.github}/${encodeURIComponent(login)}`}>
          <bdi>{login}</bdi>
        </GithubLink>
        <p className={`${styles.facts} ${styles.quiet}`}>
          {memberFacts(member).map((fact) => (
            <bdi key={fact}>{fact}</bdi>
          ))}
        </p>
      </div>
      {signedIn && login !== username && !isEnding && (
        <Button look="secondary" aria-label={`End sessions of ${login}`} onClick={() => setIsEnding(true)}>
          End sessions
        </Button>
      )}
      {isEnding && (
        <EndSessions member={member} organization={organization} onCancel={() => setIsEnding(false)} />
      )}
    </li>
  );
}
