import { describe, expect, test } from '@jest/globals';
import { githubFixture, webhookFixture } from '../support/fixtures.ts';

describe('the fixtures', () => {
  const opened = webhookFixture('pull_request.opened');

  test('tell one story, so that tests can combine them', () => {
    const head = opened.pull_request.head.sha;
    expect(githubFixture('pull-request').head.sha).toBe(head);
    expect(githubFixture('pulls')[0].id).toBe(opened.pull_request.id);
    expect(githubFixture('check-run').head_sha).toBe(head);
    expect(webhookFixture('check_run.rerequested').check_run.head_sha).toBe(head);
    expect(githubFixture('installation').id).toBe(opened.installation.id);
    expect(githubFixture('installation').account.id).toBe(opened.repository.owner.id);
    expect(githubFixture('installation-repositories').repositories[0].id).toBe(opened.repository.id);
    expect(githubFixture('token-check').user.id).toBe(opened.pull_request.user.id);
  });

  test('are varied without changing the next reader’s copy', () => {
    const draft = webhookFixture('pull_request.opened', (payload) => {
      payload.pull_request.draft = true;
    });
    expect(draft.pull_request.draft).toBe(true);
    expect(webhookFixture('pull_request.opened')).toEqual(opened);
  });

  test('say which there are when one is missing', () => {
    expect(() => webhookFixture('pull_request.open')).toThrow('pull_request.opened.json');
  });
});
