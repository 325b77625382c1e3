import { useCallback, useEffect, useRef } from 'react';
import type {
  OrganizationMember,
  OrganizationMembersAnswer,
} from '../../../../../src/contract/organization.ts';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { GithubLink } from '../../../components/github-link.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import type { Poster } from '../../../lib/api-client.ts';
import { useClient } from '../../../lib/use-client.ts';
import { useLoaded } from '../../../lib/use-loaded.ts';
import { ShowMore } from '../show-more.tsx';
import { type NextPage, useNextPage } from '../use-next-page.ts';
import styles from './home.module.css';

/** A page of the members without an authenticator, sorted by login. Rejects with an `ApiError`. */
const readMissing = (api: Poster, orgID: number, after?: string) =>
  api.post<OrganizationMembersAnswer>('/organization-members', {
    orgID,
    state: 'missing',
    ...(after !== undefined && { after }),
  });

/** The members of an organization (by GitHub's id) without an authenticator, 50 at a time. */
export function MissingMembers({ orgId }: { orgId: number }) {
  const { api } = useClient();
  const { loaded, setLoaded, reload } = useLoaded(useCallback(() => readMissing(api, orgId), [api, orgId]));
  const nextPage = useNextPage(async () => {
    if (loaded.status !== 'ok' || loaded.value.next === null) return;
    const { members } = loaded.value;
    const page = await readMissing(api, orgId, loaded.value.next);
    setLoaded({ status: 'ok', value: { members: [...members, ...page.members], next: page.next } });
  });
  // The button that opened the list is gone, and its focus with it.
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => list.current?.focus(), []);

  return (
    <div ref={list} className={styles.missing} tabIndex={-1} aria-busy={loaded.status === 'awaiting'}>
      <h3>Without an authenticator</h3>
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
      {loaded.status === 'ok' && <MemberList {...loaded.value} nextPage={nextPage} />}
    </div>
  );
}

function MemberList({ members, next, nextPage }: OrganizationMembersAnswer & { nextPage: NextPage }) {
  return (
    <>
      <p className={styles.quiet}>
        {members.length === 0
          ? 'Everyone has one now.'
          : "We'll ask them to register one the first time they approve a pull request."}
      </p>
      <ul>
        {members.map((member) => (
          <Member key={member.login} member={member} />
        ))}
      </ul>
      <ShowMore nextPage={nextPage} hasMore={next !== null}>
        Show more
      </ShowMore>
    </>
  );
}

function Member({ member: { login, role } }: { member: OrganizationMember }) {
  const { config } = useClient();
  return (
    <li className={styles.member}>
      <GithubLink className={styles.link} href={`${config.github}/${encodeURIComponent(login)}`}>
        <bdi>{login}</bdi>
      </GithubLink>
      {role === 'admin' && <span className={styles.quiet}>Owner</span>}
    </li>
  );
}
