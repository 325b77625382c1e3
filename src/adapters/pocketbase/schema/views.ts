import type { Collection } from './fields.ts';

/** The standing of each member of an organization. A pending authenticator isn't among the others. */
const MEMBER_STANDINGS = `
  SELECT m.id, m.org, m.github_id, m.login, m.role, CAST((m.user != '') AS INTEGER) AS signed_in, CAST((
    EXISTS (SELECT 1 FROM webauthn w WHERE w.user = m.user AND w.org = m.org AND w.pending = '')
    OR EXISTS (SELECT 1 FROM totps t WHERE t.user_id = m.user AND t.org_id = m.org)
  ) AS INTEGER) AS enrolled, CAST((
    (SELECT COUNT(*) FROM webauthn w WHERE w.user = m.user AND w.org = m.org AND w.pending = '')
    + (SELECT COUNT(*) FROM totps t WHERE t.user_id = m.user AND t.org_id = m.org)
  ) AS INTEGER) AS authenticators, CAST((
    SELECT COUNT(*) FROM webauthn w
    WHERE w.user = m.user AND w.org = m.org AND w.pending = '' AND w.type = 'passkey'
  ) AS INTEGER) AS passkeys, CAST((
    SELECT COUNT(*) FROM totps t WHERE t.user_id = m.user AND t.org_id = m.org
  ) AS INTEGER) AS apps, CAST((
    EXISTS (SELECT 1 FROM webauthn w WHERE w.user = m.user AND w.org = m.org AND w.pending != '')
  ) AS INTEGER) AS waits, CAST(COALESCE(
    (SELECT a.address FROM enrolment_addresses a WHERE a.org = m.org AND a.github_id = m.github_id), ''
  ) AS TEXT) AS address, CAST((
    EXISTS (SELECT 1 FROM gh_users u WHERE u.id = m.user AND u.address != '')
  ) AS INTEGER) AS has_address, m.user AS person, CAST(COALESCE(
    (SELECT MAX(p.created) FROM approvals p WHERE p.org_id = o.org_id AND p.user_id = m.github_id AND p.kind = ''), ''
  ) AS TEXT) AS last_approval, CAST(COALESCE(
    (SELECT MAX(r.at) FROM member_reminders r WHERE r.org = m.org AND r.github_id = m.github_id), ''
  ) AS TEXT) AS reminded
  FROM org_members m JOIN organizations o ON o.id = m.org`;

const APPROVALS_THAT_DAY = `approvals a WHERE a.org_id = o.org_id AND SUBSTR(a.created, 1, 10) = d.day AND a.kind = ''`;
const LAST_31_DAYS = `
  SELECT DATE('now', '-' || value || ' days') AS day FROM JSON_EACH('[${Array.from({ length: 31 }, (_, at) => at)}]')`;

/**
 * The approvals of each organization on each of the last 31 days by UTC, and for each pull request the seconds from its
 * opening to its first approval that day. Day by day, SQLite finds each organization's in an index, in their groups.
 */
const APPROVAL_DAYS = `
  SELECT (o.org_id || ':' || d.day) AS id, o.org_id, CAST(d.day AS TEXT) AS day,
    CAST((SELECT COUNT(*) FROM ${APPROVALS_THAT_DAY}) AS INTEGER) AS approvals, CAST(COALESCE((
      SELECT GROUP_CONCAT(UNIXEPOCH(f.first) - UNIXEPOCH(NULLIF(f.opened, ''))) FROM (
        SELECT MIN(a.created) AS first, MAX(a.opened) AS opened
        FROM ${APPROVALS_THAT_DAY} GROUP BY a.repo_id, a.pr
      ) f
    ), '') AS TEXT) AS seconds
  FROM organizations o JOIN (${LAST_31_DAYS}) d`;

/** The hashes of a log. Audit paths need nothing else, and PocketBase takes half as long for records without the rest. */
const LOG_NODES = 'SELECT id, org, entry_number, nodes FROM gh_activities';

/** The outgoing webhooks that have something to deliver. Dates are texts of one form, so they compare as such. */
const HOOK_WORK = `
  SELECT h.id, h.org, h.kind, h.due, o.org_id, o.name, o.installation_id FROM hooks h JOIN organizations o ON o.id = h.org
  WHERE h.stopped = FALSE AND o.installation_id > 0 AND o.suspended = FALSE AND (
    EXISTS (SELECT 1 FROM gh_activities a WHERE a.org = h.org AND a.entry_number > h.position)
    OR EXISTS (
      SELECT 1 FROM open_pulls p WHERE p.org = h.org AND p.approved = FALSE AND p.since >= h.pulls_from
    )
  )`;

/** The views. Only the server reads them, and they hold nothing of their own. */
export const views: Collection[] = [
  view('log_nodes', LOG_NODES),
  view('member_standings', MEMBER_STANDINGS),
  view('approval_days', APPROVAL_DAYS),
  view('hook_work', HOOK_WORK),
];

function view(name: string, viewQuery: string): Collection {
  return { id: `pbc_${name}`, name, type: 'view', fields: [], viewQuery, listRule: null, viewRule: null };
}
