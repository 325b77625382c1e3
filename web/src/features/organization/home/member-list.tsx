import { useCallback, useEffect, useRef, useState } from 'react';
import type {
  OrganizationMember,
  OrganizationMembersAnswer,
} from '../../../../../src/contract/organization.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { GithubLink } from '../../../components/github-link.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import type { Poster } from '../../../lib/api-client.ts';
import { useClient, useUser } from '../../../lib/use-client.ts';
import { useLoaded } from '../../../lib/use-loaded.ts';
import type { Organization } from '../../../lib/user.ts';
import { ShowMore } from '../show-more.tsx';
import { type NextPage, useNextPage } from '../use-next-page.ts';
import { EndSessions } from './end-sessions.tsx';
import styles from './home.module.css';

/** Everybody, or only those without an authenticator. */
export type Shown = 'all' | 'missing';

type Query = { orgID: number; state: Shown; after?: string };

/** A page of the members, sorted by login. Rejects with an `ApiError`. */
const readMembers = (api: Poster, query: Query) =>
  api.post<OrganizationMembersAnswer>('/organization-members', query);

type Props = { organization: Pick<Organization, 'orgId' | 'name'>; state: Shown };

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
    setLoaded({ status: 'ok', value: { members: [...members, ...page.members], next: page.next } });
  });
  // The button that opened the list is gone, and its focus with it.
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.focus(), []);

  return (
    <div ref={list} className={styles.missing} tabIndex={-1} aria-busy={loaded.status === 'awaiting'}>
      <h3>{state === 'missing' ? 'Without an authenticator' : 'All members'}</h3>
      {loaded.status === 'failed' && (
        <Banner text={loaded.text}>
          <Button look="secondary" onClick={reload}>
            Try again
          </Button>
        </Banner>
      )}
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
  const { login, role, signedIn } = member;
  const { username } = useUser();
  const [isEnding, setIsEnding] = useState(false);
  return (
    <li className={styles.member}>
      <GithubLink className={styles.link} href={`${config.github}/${encodeURIComponent(login)}`}>
        <bdi>{login}</bdi>
      </GithubLink>
      {role === 'admin' && <span className={styles.quiet}>Owner</span>}
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
