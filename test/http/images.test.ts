import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listed, ownRecord } from '../support/account.ts';
import { type Answer, type Session, startTestProduct, type TestProduct } from '../support/product.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const NO_IMAGE = 'Choose an image first.';
const NO_VARIANT = 'Choose one of marble, beam, pixel, ring and bauhaus.';
const IMAGE = {
  name: 'abcDEF123ghiJKL456mn',
  colors: ['#69d2e7', '#A7DBD8', '#e0e4cc', '#f38630', '#fa6900'],
  variant: 'marble',
};
const sentence = ({ status, text }: Answer) => [status, text];

const BROKEN: [string, unknown, string][] = [
  ['no image', undefined, NO_IMAGE],
  ['null', null, NO_IMAGE],
  ['a list', [], NO_IMAGE],
  ['text that is not JSON', '{', NO_IMAGE],
  ['text of another thing', '"marble"', NO_IMAGE],
  ['a name of 19 characters', { ...IMAGE, name: 'a'.repeat(19) }, NO_IMAGE],
  ['a name of 21 characters', { ...IMAGE, name: 'a'.repeat(21) }, NO_IMAGE],
  ['a name with a sign', { ...IMAGE, name: `${'a'.repeat(19)}-` }, NO_IMAGE],
  ['a name in another script', { ...IMAGE, name: 'ä'.repeat(20) }, NO_IMAGE],
  ['a name and a line end', { ...IMAGE, name: `${'a'.repeat(20)}\n` }, NO_IMAGE],
  ['a number for a name', { ...IMAGE, name: 7 }, NO_IMAGE],
  ['no name', { ...IMAGE, name: undefined }, NO_IMAGE],
  ['four colors', { ...IMAGE, colors: IMAGE.colors.slice(1) }, NO_IMAGE],
  ['six colors', { ...IMAGE, colors: [...IMAGE.colors, '#000000'] }, NO_IMAGE],
  ['no colors', { ...IMAGE, colors: undefined }, NO_IMAGE],
  ['colors as text', { ...IMAGE, colors: IMAGE.colors.join() }, NO_IMAGE],
  ['a color of three digits', { ...IMAGE, colors: ['#fff', ...IMAGE.colors.slice(1)] }, NO_IMAGE],
  ['a color with transparency', { ...IMAGE, colors: ['#ffffff00', ...IMAGE.colors.slice(1)] }, NO_IMAGE],
  ['a color by name', { ...IMAGE, colors: ['red', ...IMAGE.colors.slice(1)] }, NO_IMAGE],
  ['a color that is not hex', { ...IMAGE, colors: ['#gggggg', ...IMAGE.colors.slice(1)] }, NO_IMAGE],
  [
    'a color that is a style',
    { ...IMAGE, colors: ['#ffffff;background:url(//x)', ...IMAGE.colors.slice(1)] },
    NO_IMAGE,
  ],
  ['no variant', { ...IMAGE, variant: undefined }, NO_VARIANT],
  ['another variant', { ...IMAGE, variant: 'sunset' }, NO_VARIANT],
  ['a variant in capitals', { ...IMAGE, variant: 'Marble' }, NO_VARIANT],
  ['several variants', { ...IMAGE, variant: ['marble'] }, NO_VARIANT],
];

describe('a security image', () => {
  let product: TestProduct;
  let mona: Session;
  let octocat: Session;
  let hubot: Session;
  let orgID = 0;

  beforeAll(async () => {
    product = await startTestProduct();
    ({ orgID } = product.github.facts);
    [mona, octocat, hubot] = await Promise.all([
      product.signIn('mona'),
      product.signIn('octocat'),
      product.signIn('hubot'),
    ]);
  });

  afterAll(() => product?.stop());

  const setOwn = (image: unknown, session: Partial<Session> = mona, org: unknown = 0) =>
    product.call('/personal-set-image', { orgID: org, image }, session);
  const setOrganization = (image: unknown, session: Partial<Session> = octocat, org: unknown = orgID) =>
    product.call('/github-set-image', { orgID: org, image }, session);
  /** Undefined if the organization is not visible at all. */
  const seenBy = async (session: Partial<Session>, org = orgID) =>
    (await listed(product, session, 'organizations')).items.find(({ org_id }) => org_id === org)?.image;
  const logged = async (session: Session = octocat) =>
    (await listed(product, session, 'gh_activities', 'perPage=50&sort=-created')).items.filter(
      ({ activity }) => activity === 'setOrgImage',
    );

  describe('of a person', () => {
    it('can have each of the five styles', async () => {
      for (const variant of ['marble', 'beam', 'pixel', 'ring', 'bauhaus']) {
        const image = { ...IMAGE, variant };
        const answer = await setOwn(image);
        expect([answer.status, answer.json()]).toEqual([200, { image }]);
        expect((await ownRecord(product, mona)).image).toEqual(image);
      }
    });

    it('can be set by a form, which stores only the members of an image', async () => {
      const image = JSON.stringify({ ...IMAGE, script: '<script>', note: [] });
      const body = new URLSearchParams({ orgID: '0', image }).toString();
      const answer = await product.call('/personal-set-image', body, mona, FORM);
      expect([answer.status, answer.json()]).toEqual([200, { image: IMAGE }]);
      expect((await ownRecord(product, mona)).image).toEqual(IMAGE);
    });

    it('is refused if it is not an image', async () => {
      const before = (await ownRecord(product, mona)).image;
      for (const [name, image, text] of BROKEN)
        expect([name, ...sentence(await setOwn(image))]).toEqual([name, 400, text]);
      expect((await ownRecord(product, mona)).image).toEqual(before);
    });

    it('has no organization', async () => {
      for (const org of [1, -1, 'one', {}])
        expect([org, ...sentence(await setOwn(IMAGE, mona, org))]).toEqual([
          org,
          400,
          'A personal image has no organization.',
        ]);
    });

    it('gets an error sentence if it is missing', async () => {
      const own = await product.call('/personal-set-image', { image: IMAGE }, mona);
      expect(sentence(own)).toEqual([400, 'A personal image has no organization.']);
      const organizations = await product.call('/github-set-image', { image: IMAGE }, octocat);
      expect(sentence(organizations)).toEqual([400, 'Missing org ID']);
    });

    it('is not set without a session', async () => {
      expect(sentence(await setOwn(IMAGE, {}))).toEqual([401, 'missing auth token']);
      expect(sentence(await setOwn(IMAGE, { token: mona.accessToken }))).toEqual([401, 'missing auth token']);
    });
  });

  describe('of an organization', () => {
    it('is set by an owner, logged with the owner’s login, and visible only to members', async () => {
      expect(await seenBy(mona)).toBeNull();
      const answer = await setOrganization(IMAGE);
      expect([answer.status, answer.json()]).toEqual([200, { image: IMAGE }]);
      expect(await seenBy(octocat)).toEqual(IMAGE);
      expect(await seenBy(mona)).toEqual(IMAGE);
      expect(await seenBy(hubot)).toBeUndefined();
      expect(await seenBy({})).toBeUndefined();
      const [entry, ...more] = await logged(mona);
      expect(more).toEqual([]);
      expect(entry).toMatchObject({
        data: { login: 'octocat', org: 'octo-org' },
        user_id: octocat.record.id,
      });
      expect(Object.keys(entry?.data as object).sort()).toEqual(['login', 'org']);
      expect(await logged(hubot)).toEqual([]);
    });

    it('is refused if it is not an image', async () => {
      const before = [await seenBy(mona), (await logged()).length];
      for (const [name, image, text] of BROKEN.filter((_, at) => at % 8 === 0))
        expect([name, ...sentence(await setOrganization(image))]).toEqual([name, 400, text]);
      expect([await seenBy(mona), (await logged()).length]).toEqual(before);
    });

    it('needs an organization', async () => {
      for (const org of [0, -1, 1.5, 'abc', null, [7], '99999999999999999'])
        expect([org, ...sentence(await setOrganization(IMAGE, octocat, org))]).toEqual([
          org,
          400,
          'Missing org ID',
        ]);
    });

    it('is not set by a member, by an outsider, by nobody, or for an organization without the App', async () => {
      const { otherOrgID } = product.github.facts;
      const before = [await seenBy(mona), await seenBy(hubot, otherOrgID), (await logged()).length];
      const other = { ...IMAGE, name: 'z'.repeat(20) };
      const NOT_OWNER = [403, 'Only an owner of this organization can do this.'];
      expect(sentence(await setOrganization(other, mona))).toEqual(NOT_OWNER);
      expect(sentence(await setOrganization(other, hubot))).toEqual(NOT_OWNER);
      expect(sentence(await setOrganization(other, hubot, otherOrgID))).toEqual(NOT_OWNER);
      expect(sentence(await setOrganization(other, {}))).toEqual([401, 'missing auth token']);
      expect(sentence(await setOrganization(other, octocat, 424242))).toEqual([
        404,
        "OTP Guard isn't installed for this organization.",
      ]);
      expect([await seenBy(mona), await seenBy(hubot, otherOrgID), (await logged()).length]).toEqual(before);
    });
  });
});
