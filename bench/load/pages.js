// What a browser requests for each page, when it has the scripts from an earlier visit.
const list = (collection, { org }, query) =>
  `/api/collections/${collection}/records?${new URLSearchParams({ skipTotal: '1', perPage: '50', filter: `org = "${org}"`, ...query })}`;

const OF_MEMBERS = {
  inbox: ({ person, post }) => [post('/inbox', { accessToken: person.accessToken })],
  overview: ({ get, post, person, orgID }) => [
    post('/organization', { orgID }),
    get(list('gh_activities', person, { perPage: '5', sort: '-created,-id', expand: 'user_id' })),
  ],
};
const OF_OWNERS = {
  overview: (calls) => [
    ...OF_MEMBERS.overview(calls),
    calls.post('/organization-statistics', { orgID: calls.orgID }),
    calls.post('/organization-pulls', { orgID: calls.orgID }),
  ],
  members: ({ post, orgID }) => [post('/organization-members', { orgID, state: 'all' })],
  repositories: ({ post, orgID }) => [post('/organization-repositories', { orgID, state: 'all' })],
  authenticators: ({ get, post, person, orgID }) => [
    post('/organization-authenticators', { orgID }),
    get(list('webauthn', person, { perPage: '20', sort: '-created', expand: 'user,org' })),
  ],
  log: ({ get, person }) => [get(list('gh_activities', person, { sort: '-created,-id', expand: 'user_id' }))],
};

export const PAGES = [
  ...Object.entries(OF_MEMBERS).map(([name, requests]) => ({ name, requests, ofOwner: false })),
  ...Object.entries(OF_OWNERS).map(([name, requests]) => ({
    name: `${name} (owner)`,
    requests,
    ofOwner: true,
  })),
];
