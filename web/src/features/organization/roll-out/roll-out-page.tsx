import { useState } from 'react';
import type {
  MOST_NAMED,
  RollOutAnswer,
  RollOutPerson,
  RollOutRepository,
} from '../../../../../src/contract/roll-out.ts';
import { Card } from '../../../components/card.tsx';
import { InternalLink, LoginLink, SecondaryButton } from '../../../components/controls.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { type Column, Table } from '../../../components/table.tsx';
import { Label, SkeletonLine } from '../../../components/text.tsx';
import { useAnswer } from '../../../lib/react/queries.ts';
import { useClient } from '../../../lib/react/use-client.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { paragraphsOf } from '../findings/words.ts';
import { MemberNote, NoAddress, RemindMember } from '../members/member-table.tsx';
import { mayBeReminded } from '../members/member-texts.ts';
import { Message } from '../members/remind-all.tsx';
import { organizationPage } from '../organization-page.tsx';
import { REQUIREMENT_TEXTS } from '../repositories/requirement-texts.ts';
import { Section } from '../section.tsx';
import { RulesetFiles } from '../setup/ruleset-row.tsx';
import { StatusRow } from '../status-row.tsx';
import { NO_LIST_TEXTS, openedText } from './roll-out-texts.ts';

const TITLE = 'Roll-out';

/** `/org/roll-out`: who would be blocked if every repository required the check now, and the ruleset; for owners. */
export const RollOutPage = organizationPage(TITLE, RollOut);

function RollOut({ organization }: { organization: Organization }) {
  const { orgId: orgID } = organization;
  const { loaded, reload } = useAnswer('/organization-roll-out', { orgID });
  const answer = loaded.status === 'ok' ? loaded.value : null;
  return (
    <Card title={TITLE} wide busy={loaded.status === 'awaiting'} banner={loadFailure(loaded, reload)}>
      {loaded.status !== 'failed' && (
        <>
          {answer ? <Outlook finding={answer.finding} /> : <OutlookSkeleton />}
          <Section title="Waiting pull requests by repository" busy={answer === null}>
            <Repositories repositories={answer?.repositories ?? null} />
          </Section>
          <Section title="People who can't approve yet">
            <People answer={answer} organization={organization} />
          </Section>
        </>
      )}
      {answer && <Rulesets orgID={orgID} />}
    </Card>
  );
}

/** The effects, in two lines, and the pull requests that aren't counted. */
function Outlook({ finding }: Pick<RollOutAnswer, 'finding'>) {
  return (
    <>
      <StatusRow status={finding.status}>
        {paragraphsOf(finding).map((text) => (
          <p key={String(text)}>{text}</p>
        ))}
      </StatusRow>
      <p className="quiet">Repository access and team rules aren't counted, so more may be blocked.</p>
    </>
  );
}

const OutlookSkeleton = () => (
  <>
    <SkeletonLine like="If every repository required the check today, 12 open pull requests would wait." />
    <SkeletonLine
      className="quiet"
      like="Repository access and team rules aren't counted, so more may be blocked."
    />
  </>
);

const REPOSITORY_COLUMNS: Column<RollOutRepository>[] = [
  {
    name: 'Repository',
    cell: ({ name }) => (
      <InternalLink className="target" to="/org/pulls" query={{ repository: name }}>
        <span className="visually-hidden">Pull requests of </span>
        <Label text={name} />
      </InternalLink>
    ),
    like: 'a-repository',
  },
  {
    name: 'Check',
    cell: ({ required }) => REQUIREMENT_TEXTS[required].text,
    like: 'Not required',
  },
  { name: 'Waiting', cell: ({ waiting }) => waiting, like: '12' },
  {
    name: 'Too few to approve',
    cell: ({ stuck }) => (stuck === null ? "Can't tell" : stuck > 0 && <strong>{stuck}</strong>),
    like: '3',
  },
];

function Repositories({ repositories }: { repositories: RollOutRepository[] | null }) {
  const { shown, more } = useFirst(repositories, 'repositories');
  if (repositories?.length === 0) return <p>No pull requests wait for approval.</p>;
  return (
    <>
      <Table columns={REPOSITORY_COLUMNS} items={shown} keyOf={({ name }) => name} expected={3} />
      {more}
    </>
  );
}

type PeopleProps = { answer: RollOutAnswer | null; organization: Organization };

function People({ answer, organization }: PeopleProps) {
  const { now } = useClient();
  const people = answer?.people ?? null;
  const { shown, more } = useFirst(typeof people === 'string' ? null : people, 'members');
  const columns: Column<RollOutPerson>[] = [
    { name: 'Member', cell: (person) => <Person person={person} />, like: 'a-member-name' },
    { name: 'Waiting pull requests', cell: openedText, like: 'Opened 2, asked to review 1' },
    {
      name: 'Action',
      cell: (person) =>
        mayBeReminded(person, now()) ? <RemindMember member={person} organization={organization} /> : null,
      like: 'Remind',
    },
  ];
  if (typeof people === 'string') return <p>{NO_LIST_TEXTS[people]}</p>;
  if (people?.length === 0)
    return (
      <p>Every member who opened a waiting pull request or is asked to review one has an authenticator.</p>
    );
  return (
    <>
      <p className="quiet">They opened a waiting pull request or are asked to review one.</p>
      <Table columns={columns} items={shown} keyOf={({ id }) => id} expected={3} />
      {more}
      <details>
        <summary>A message for those without an e-mail address</summary>
        <Message organization={organization} />
      </details>
      <p>
        <InternalLink className="target" to="/org/members" query={{ state: 'missing' }}>
          All members without an authenticator
        </InternalLink>
      </p>
    </>
  );
}

const Person = ({ person }: { person: RollOutPerson }) => (
  <>
    <LoginLink className="target" login={person.login} />
    <p className="quiet">
      <NoAddress member={person} />
      <MemberNote member={person} />
    </p>
  </>
);

/** The ruleset that requires the check, for all repositories together or for one. */
function Rulesets({ orgID }: { orgID: number }) {
  const { loaded, reload } = useAnswer('/organization-health', { orgID });
  return (
    <Section title="Require the check" busy={loaded.status === 'awaiting'}>
      {loadFailure(loaded, reload, "We couldn't make the ruleset.")}
      {loaded.status === 'ok' && <RulesetFiles rulesets={loaded.value.rulesets} />}
      {loaded.status === 'awaiting' && <SkeletonLine like="A ruleset requires the check from OTP Guard." />}
    </Section>
  );
}

const FIRST = 20;
/** The server's answer ends here. */
const MOST: typeof MOST_NAMED = 500;

/** The first rows of a list, and the button that shows the others. */
function useFirst<Item>(items: Item[] | null, what: string) {
  const [isAll, setAll] = useState(false);
  const isCut = items !== null && items.length > FIRST && !isAll;
  return {
    shown: isCut ? items.slice(0, FIRST) : items,
    more: isCut && (
      <p>
        <SecondaryButton onClick={() => setAll(true)}>
          Show {items.length < MOST ? 'all' : 'the first'} {items.length} {what}
        </SecondaryButton>
      </p>
    ),
  };
}
