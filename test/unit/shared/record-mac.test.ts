import { describe, expect, it } from '@jest/globals';
import { createRecordMac } from '../../../src/shared/crypto.ts';

const OLD = 'an-old-key-of-at-least-thirty-two-characters';
const NEW = 'the-new-key-of-at-least-thirty-two-characters';
const fields = { pr: 7, head: 'abc' };

describe('the MAC of a record', () => {
  const mac = createRecordMac(() => [NEW]);
  const signed = mac.sign('approvals', 'id', fields);

  it.each<[what: string, collection: string, id: string, fields: object, mac: string]>([
    ['another collection', 'webauthn', 'id', fields, signed],
    ['another record', 'approvals', 'other', fields, signed],
    ['another value', 'approvals', 'id', { ...fields, pr: 8 }, signed],
    ['a value of another type', 'approvals', 'id', { ...fields, pr: '7' }, signed],
    ['another field', 'approvals', 'id', { ...fields, withdrawn: true }, signed],
    ['a boundary moved between fields', 'approvals', 'id', { pr: 7, he: 'adabc' }, signed],
    ['no MAC', 'approvals', 'id', fields, ''],
    ['a MAC cut short', 'approvals', 'id', fields, signed.slice(0, -1)],
    ['a MAC made longer', 'approvals', 'id', fields, `${signed}A`],
    ['one more part', 'approvals', 'id', fields, `${signed}.`],
    ['another version', 'approvals', 'id', fields, signed.replace('v1', 'v2')],
    [
      'a key that is not ours',
      'approvals',
      'id',
      fields,
      createRecordMac(() => [OLD]).sign('approvals', 'id', fields),
    ],
  ])('verifies, but not with %s', (_what, collection, id, changed, value) => {
    expect(mac.verify('approvals', 'id', { head: 'abc', pr: 7 }, signed)).toBe(true);
    expect(mac.verify(collection, id, { ...changed }, value)).toBe(false);
  });

  it('verifies with an older key that is still configured, and shows that it is not the current one', () => {
    const older = createRecordMac(() => [OLD]).sign('approvals', 'id', fields);
    const both = createRecordMac(() => [NEW, OLD]);
    expect([both.verify('approvals', 'id', fields, older), both.isCurrent(older)]).toEqual([true, false]);
    expect(both.isCurrent(signed)).toBe(true);
  });
});
