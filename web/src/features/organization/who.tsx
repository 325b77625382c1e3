import { Fragment } from 'react';
import type { Bypass } from '../../../../src/contract/protection.ts';
import { Label } from '../../components/text.tsx';
import { type Around, hasOwnName, listed, SOURCES, WHO } from './bypass-texts.ts';

/** Names an actor whom a rule of GitHub doesn't hold, with the people of a group if they are known. */
export const Who = ({
  actor: { type, name, people },
}: {
  actor: Pick<Around, 'type' | 'name' | 'people'>;
}) => (
  <>
    {WHO[type]}
    {hasOwnName(type) && (
      <>
        {' '}
        <Label text={name} inline />
      </>
    )}
    {people && people.length > 0 && <> ({listed(people)})</>}
  </>
);

/** Names the rules that require the check, as a sentence. */
export function Rules({ rules }: Pick<Bypass, 'rules'>) {
  if (rules.length === 0) return null;
  return (
    <>
      The check is required by{' '}
      {rules.map(({ source, name, url }, at) => (
        <Fragment key={url + name}>
          {at > 0 && ' and '}
          {SOURCES[source]}
          {source !== 'branchProtection' && (
            <>
              {' '}
              “<Label text={name} inline />”
            </>
          )}
        </Fragment>
      ))}
      .{' '}
    </>
  );
}
