import { describe, expect, it } from '@jest/globals';
import { Parser } from 'commonmark';
import fc from 'fast-check';
import type { JudgedDeployment } from '../../../src/deployments/judge/judge-deployment.ts';
import { approvedText, rejectedText, waitingText } from '../../../src/deployments/review/texts.ts';
import { aDecision, aDenial, anInstallation, aRun, HEAD, REPO } from '../../support/fakes.ts';
import { ORIGINS } from '../approvals/world.ts';

/** GitHub refuses a longer comment, and with it the review. It may count bytes. */
const LONGEST = 1_024;
const SIGN = fc.constantFrom(...'ab é漢😀[](){}<>`*_~|\\/&#@!.:?=-+"\'%');
/** Names of 1 to 255 signs that mean something in Markdown or in addresses. */
const NAME = fc.array(SIGN, { minLength: 1, maxLength: 255 }).map((signs) => signs.join(''));

/** What CommonMark's reference parser reads: the links, and every kind of part. */
function parse(markdown: string) {
  const found = { links: [] as URL[], types: new Set<string>() };
  const walker = new Parser().parse(markdown).walker();
  for (let event = walker.next(); event; event = walker.next()) {
    const { type, destination } = event.node;
    found.types.add(type);
    if (event.entering && type === 'link') found.links.push(new URL(destination ?? ''));
  }
  return found;
}

async function textsOf(environment: string, reason: string, approvers: number) {
  const org = { ...anInstallation(), id: 'org', orgId: 9, name: 'octo-org' } as never;
  const shown = { repo: REPO, run: aRun(), environment, org };
  const decisions = Array.from({ length: approvers }, (_, index) => aDecision({ login: `m-${index}` }));
  const rule = {
    name: '',
    enforced: true,
    met: false,
    approvals: 1,
    counted: [],
    missing: `Needs ${reason}`,
  };
  const judged = { passed: false, rejection: null, denials: [], approvals: decisions, rules: [rule] };
  const by = (change: object) => ({ ...judged, ...change }) as unknown as JudgedDeployment;
  return [
    waitingText(ORIGINS, shown, by({})),
    waitingText(ORIGINS, shown, by({ denials: [aDenial({ reason })] })),
    approvedText(ORIGINS, shown, by({})),
    rejectedText(ORIGINS, shown, aDecision({ decision: 'reject', reason })),
  ];
}

describe('what GitHub shows about a deployment', () => {
  it('fits, and links to its page and the receipts alone, whatever the environment and the reasons are called', async () => {
    await fc.assert(
      fc.asyncProperty(NAME, NAME, fc.nat(60), async (environment, reason, approvers) => {
        for (const text of await textsOf(environment, reason, approvers)) {
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LONGEST);
          const { links, types } = parse(text);
          expect([...types].sort()).toEqual([
            'document',
            ...(links.length ? ['link'] : []),
            'paragraph',
            'text',
          ]);
          for (const { origin, pathname, searchParams } of links) {
            const isPage = pathname === '/deploy';
            expect([origin, searchParams.get(isPage ? 'environment' : 'head')]).toEqual([
              ORIGINS.publicUrl,
              isPage ? environment : HEAD,
            ]);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it('has no link to a page whose address is too long, and the link otherwise', async () => {
    const long = await textsOf('漢'.repeat(255), 'one', 1);
    const pathsIn = (texts: string[]) =>
      texts.map((text) =>
        parse(text)
          .links.map(({ pathname }) => pathname)
          .join(' '),
      );
    expect(pathsIn(long)).toEqual(['', '', '/commit', '/commit']);
    // The reason and the people need the room for the receipts.
    expect(pathsIn(await textsOf('a'.repeat(255), 'one', 1))).toEqual(Array(4).fill('/deploy'));
    const usual = await textsOf('release', 'one', 1);
    expect(pathsIn(usual)).toEqual(['/deploy', '/deploy', '/deploy /commit', '/deploy /commit']);
    expect(parse(usual[2] ?? '').links[1]?.search).toBe(
      `?owner=octo-org&repo=hello&ownerID=9&repoID=42&head=${HEAD}`,
    );
    expect(long[0]).toMatch(/^Approve or reject it in OTP Guard\. Needs one/);
  });
  it('is cut between two characters, because half of one isn’t valid JSON for everybody', async () => {
    const reason = '😀'.repeat(499);
    const texts = [...(await textsOf('release', reason, 1)), ...(await textsOf('release', `a${reason}`, 1))];
    expect(texts.join('\n')).not.toMatch(/\p{Surrogate}|\uFFFD/u);
    expect(Math.max(...texts.map((text) => Buffer.byteLength(text)))).toBeLessThanOrEqual(LONGEST);
  });
});
