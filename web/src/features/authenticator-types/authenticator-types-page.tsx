import { type AuthenticatorType, authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import { Card } from '../../components/card.tsx';
import { InternalLink } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { kinds } from '../../components/kinds.ts';

const TYPES = Object.keys(kinds) as AuthenticatorType[];

/** `/authenticator-types`: what each kind is, what it protects against, and which one to choose. */
export const AuthenticatorTypesPage = () => (
  <Card title="Authenticator types">
    <p>An authenticator proves that it's you who approves a pull request.</p>
    {TYPES.map((type) => (
      <TypeSection key={type} type={type} />
    ))}
    <p>Register two: if you have only one and lose it, you're locked out.</p>
    <p>
      <InternalLink to="/register">Register authenticator</InternalLink>
    </p>
  </Card>
);

function TypeSection({ type }: { type: AuthenticatorType }) {
  const { icon, what, protection, advice } = kinds[type];
  return (
    <section className="stack gap-2">
      <h2 className="row">
        <Icon path={icon} size="large" />
        {authenticatorKinds[type].title}
      </h2>
      <p>{what}</p>
      <p>{protection}</p>
      <p>
        <strong>{advice}</strong>
      </p>
    </section>
  );
}
