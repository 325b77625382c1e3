import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { createMetrics } from '../../src/app/metrics.ts';
import { LOG_EVENTS } from '../../src/shared/log-events.ts';

// promtool is Prometheus's own checker, of Debian's package prometheus.

const RULES = join(process.cwd(), 'monitoring/alerts.yml');
const rules = (parse(readFileSync(RULES, 'utf8')).groups as { rules: Rule[] }[]).flatMap(
  (group) => group.rules,
);
type Rule = { alert: string; expr: string; annotations: { description: string; runbook: string } };
type Panel = { targets?: { expr: string }[] };
const dashboard = JSON.parse(readFileSync('monitoring/grafana-dashboard.json', 'utf8')) as {
  panels: Panel[];
};
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

const folder = mkdtempSync(join(tmpdir(), 'otp-guard-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs promtool over a file of ours. JSON is YAML, too. */
function promtool(command: 'check' | 'test', content: object) {
  const file = join(folder, `${command}.json`);
  writeFileSync(file, JSON.stringify(content));
  const { status, stdout, stderr } = spawnSync('promtool', [command, 'rules', file], { encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

const target = 'job="otp-guard",instance="one"';
const series = (name: string, labels = '') => `${name}{${target}${labels && `,${labels}`}}`;
const [UP, WAITING, SWEPT, BACKED_UP] = [
  series('up'),
  series('otp_guard_notices_waiting'),
  series('otp_guard_last_sweep_timestamp_seconds'),
  series('otp_guard_last_backup_timestamp_seconds'),
];
const READY = series('otp_guard_ready');
const [OVERDUE, DATA_FREE, REDIS, CLOCK] = [
  series('otp_guard_overdue_rounds_total'),
  series('otp_guard_data_free_bytes'),
  series('otp_guard_redis_up'),
  series('otp_guard_clock_offset_seconds'),
];
const [MEMORY, LAG] = [series('process_resident_memory_bytes'), series('nodejs_eventloop_lag_p99_seconds')];
const dropped = series('otp_guard_webhooks_total', 'event="unread",outcome="dropped"');
const failed = series('otp_guard_webhooks_total', 'event="push",outcome="failed"');
const github = (status: string) => series('otp_guard_github_requests_total', `status="${status}"`);
const requests = (status: string) =>
  series('otp_guard_http_request_duration_seconds_count', `route="page",method="GET",status="${status}"`);
const fasterThan = (le: string) =>
  series(
    'otp_guard_http_request_duration_seconds_bucket',
    `route="page",method="GET",status="200",le="${le}"`,
  );
/** The metrics that are read from the record store. */
const GAUGES = ['otp_guard_last_sweep_timestamp_seconds', 'otp_guard_notices_waiting'];
const build = (instance: string, version: string) =>
  `otp_guard_build_info{job="otp-guard",instance="${instance}",version="${version}",commit="unknown"}`;

/** Three hours of a server that is well, a sample a minute. */
const WELL: Record<string, string> = {
  [UP]: '1+0x180',
  [WAITING]: '0+0x170 5 0+0x8',
  [READY]: '1+0x170 0+0x2 1+0x7',
  [SWEPT]: '60+60x180',
  [series('otp_guard_last_sweep_faults')]: '0+0x150 2+0x20 0+0x8',
  [series('otp_guard_unreported_heads')]: '0+0x155 3+0x24',
  [series('otp_guard_silent_installations')]: '0+0x180',
  [series('otp_guard_forged_checks_total')]: '0+0x180',
  [series('otp_guard_forged_records_total')]: '0+0x180',
  [BACKED_UP]: '1+0x180',
  [OVERDUE]: '0+0x50 1+0x129',
  [DATA_FREE]: '5e9+0x180',
  [series('otp_guard_backup_free_bytes')]: '5e9+0x180',
  [REDIS]: '1+0x170 0+0x3 1+0x6',
  [CLOCK]: '1+0x170 90+0x2 1+0x7',
  [MEMORY]: '2e8+0x170 8e8+0x9',
  [LAG]: '0.02+0x175 2+0x4',
  [series('process_start_time_seconds')]: '-600+0x120 7200+0x59',
  [failed]: '0+0x100 1+0x79',
  [dropped]: '0+0x170 5+0x9',
  [github('200')]: '0+60x180',
  [github('404')]: '0+30x180',
  [github('502')]: '0+1x180',
  [requests('200')]: '0+60x180',
  [requests('503')]: '0+1x180',
  [fasterThan('2')]: '0+58x180',
  [fasterThan('5')]: '0+60x180',
  [fasterThan('+Inf')]: '0+60x180',
  [build('one', '1.0.0')]: '1+0x180',
  [build('two', '1.0.0')]: '1+0x180',
};

/** The only alert that fires after three hours of a change. */
const FAULTS: [alert: string, change: Record<string, string | undefined>][] = [
  ['OtpGuardDown', { [UP]: '1+0x170 0+0x9' }],
  ['OtpGuardDown', { [UP]: undefined }],
  ['OtpGuardRecordStoreDown', { [WAITING]: '0+0x160 stale' }],
  ['OtpGuardNotReady', { [READY]: '1+0x160 0+0x19' }],
  ['OtpGuardForgedCheck', { [series('otp_guard_forged_checks_total')]: '0+0x20 1+0x159' }],
  ['OtpGuardForgedCheck', { [series('otp_guard_forged_checks_total')]: '1+0x180' }],
  ['OtpGuardForgedRecord', { [series('otp_guard_forged_records_total')]: '0+0x20 1+0x159' }],
  ['OtpGuardReconciliationOverdue', { [SWEPT]: '60+60x150 9000+0x29' }],
  ['OtpGuardReconciliationOverdue', { [SWEPT]: '0+0x180' }],
  ['OtpGuardRoundsOverdue', { [OVERDUE]: '0+0x160 1+0x19' }],
  ['OtpGuardReconciliationFaults', { [series('otp_guard_last_sweep_faults')]: '0+0x100 2+0x79' }],
  ['OtpGuardApprovalsUnreported', { [series('otp_guard_unreported_heads')]: '0+0x100 1+0x79' }],
  ['OtpGuardWebhooksSilent', { [series('otp_guard_silent_installations')]: '0+0x170 1+0x9' }],
  ['OtpGuardWebhooksFailing', { [failed]: '0+0x100 0+1x79' }],
  ['OtpGuardWebhooksDropped', { [dropped]: '0+0x170 50+0x9' }],
  ['OtpGuardGitHubFailing', { [github('502')]: '0+20x180' }],
  ['OtpGuardServerErrors', { [requests('503')]: '0+6x180' }],
  ['OtpGuardSlow', { [fasterThan('2')]: '0+50x180' }],
  ['OtpGuardMailStuck', { [WAITING]: '0+0x20 4+0x159' }],
  ['OtpGuardBackupOverdue', { [BACKED_UP]: '-100000+0x180' }],
  ['OtpGuardBackupOverdue', { [BACKED_UP]: '0+0x180' }],
  ['OtpGuardDiskFull', { [DATA_FREE]: '5e9+0x170 1e8+0x9' }],
  ['OtpGuardDiskLow', { [DATA_FREE]: '5e9+0x150 5e8+0x29' }],
  ['OtpGuardDiskLow', { [series('otp_guard_backup_free_bytes')]: '5e9+0x150 0+0x29' }],
  ['OtpGuardClockWrong', { [CLOCK]: '1+0x150 -90+0x29' }],
  ['OtpGuardRedisAway', { [REDIS]: '1+0x150 0+0x29' }],
  ['OtpGuardMemory', { [MEMORY]: '2e8+0x100 8e8+0x79' }],
  ['OtpGuardEventLoopDelayed', { [LAG]: '0.02+0x100 2+0x79' }],
  ['OtpGuardRestarting', { [series('process_start_time_seconds')]: '0+0x175 1 2 3 4 4' }],
  ['OtpGuardVersionsDiffer', { [build('two', '1.0.0')]: undefined, [build('two', '1.1.0')]: '1+0x180' }],
];

describe('the alert rules', () => {
  it('stay quiet while all is well, and each fires alone for what it is about', () => {
    const tests = [[undefined, {}] as const, ...FAULTS].map(([alert, change]) => ({
      interval: '1m',
      input_series: Object.entries({ ...WELL, ...change })
        .filter(([, values]) => values !== undefined)
        .map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
          eval_time: '3h',
          exp_samples: alert ? [{ labels: `{alertname="${alert}"}`, value: 1 }] : [],
        },
      ],
    }));
    const { status, said } = promtool('test', { rule_files: [RULES], evaluation_interval: '5m', tests });
    expect([said, status]).toEqual([expect.stringContaining('SUCCESS'), 0]);
    expect([...new Set(FAULTS.map(([alert]) => alert))]).toEqual(rules.map(({ alert }) => alert));
  });

  it('and the dashboard use metrics that exist, and every metric of ours is in the docs', async () => {
    const metrics = createMetrics();
    metrics.addReadings({
      ready: async () => 1,
      unreported: async () => 0,
      notices: async () => 0,
      lastWebhook: async () => 0,
      silent: async () => 0,
      sweptAt: async () => 0,
      sweepFaults: async () => 0,
      lastBackup: async () => null,
      dataBytes: async () => null,
      backupBytes: async () => null,
      redis: async () => null,
    });
    const names = [...(await metrics.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
    const used = [...rules.map(({ expr }) => expr), ...queries]
      .join(' ')
      .match(/\b(otp_guard|process|nodejs)_\w+/g);
    const unknown = (used ?? []).filter((name) => !names.includes(name.replace(/_(count|sum|bucket)$/, '')));
    const ofAlerts = rules.flatMap(({ expr }) => expr.match(/\botp_guard_\w+/g) ?? []);
    expect(ofAlerts.filter((name) => !queries.join(' ').includes(name))).toEqual([]);
    expect(used?.length).toBeGreaterThan(30);
    expect(unknown).toEqual([]);
    const documented = readFileSync('docs/monitoring.md', 'utf8').match(/(?<=^\| `)otp_guard_\w+/gm);
    expect(documented?.sort()).toEqual(names.filter((name) => name.startsWith('otp_guard_')).sort());
  });

  it('name events of the log that exist', () => {
    const named = rules.flatMap(
      ({ annotations }) => annotations.description.match(/\b[a-z]+(_[a-z]+)+\b/g) ?? [],
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !LOG_EVENTS.includes(name as never))).toEqual([]);
  });

  it('lead to a paragraph of the runbook, whose commands, events and metrics exist', async () => {
    const runbook = readFileSync('docs/runbook.md', 'utf8');
    const paragraphs = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    const linked = rules.map(({ annotations }) => annotations.runbook.replace('docs/runbook.md#', ''));
    expect(linked.filter((paragraph) => !paragraphs.includes(paragraph))).toEqual([]);
    const program = readFileSync('src/main.ts', 'utf8');
    const commands = [...runbook.matchAll(/otp-guard ([a-z]+(?:-[a-z]+)*) ?(--[a-z]+)?/g)]
      .map(([, command = '', option = '--help']) => ({ command, option }))
      .filter(({ command }) => command !== 'otp-guard');
    const missing = commands.filter(
      ({ command, option }) =>
        !program.includes(`.command('${command}')`) ||
        !(option === '--help' || program.includes(`'${option}`)),
    );
    expect([commands.length > 5, missing]).toEqual([true, []]);
    const names = runbook.match(/(?<=`)[a-z]+(_[a-z]+)+(?=`)/g) ?? [];
    const known: readonly string[] = [
      ...LOG_EVENTS,
      ...(await createMetrics().text()).split(/\s/),
      ...GAUGES,
    ];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('and the dashboard are valid PromQL', () => {
    const exprs = queries.map((expr) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.*'));
    const recorded = exprs.map((expr, at) => ({ record: `query_${at}`, expr }));
    const checked = promtool('check', { groups: [{ name: 'dashboard', rules: recorded }] });
    expect(checked).toMatchObject({ status: 0, said: expect.stringContaining(`${exprs.length} rules`) });
  });
});
