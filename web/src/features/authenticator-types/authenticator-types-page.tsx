import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icon.tsx';
import { KeptLink } from '../../components/kept-link.tsx';
import { key, phone } from '../../components/kinds.ts';
import { passkey } from '../../components/outlines.ts';
import styles from './authenticator-types.module.css';

const TYPES = [
  {
    name: 'Passkey',
    outline: passkey,
    is: 'A key that your computer or phone keeps and opens with your fingerprint, your face or a PIN.',
    protects:
      'A fake site gets nothing: the key answers this site alone, and signs exactly the commit that you see. Some are copied to your other devices by Apple, Google, Microsoft or a password manager; whoever takes over that account has them too.',
    choose: 'The right one for most people.',
  },
  {
    name: 'Security key',
    outline: key,
    is: 'A small device of its own, on USB, NFC or Bluetooth.',
    protects:
      'What a passkey protects against, and more: the key cannot be copied, and malware on your computer cannot use it without your touch.',
    choose: 'The strongest. Also good as a second one, in a drawer, for the day you lose your phone.',
  },
  {
    name: 'One-time code (TOTP)',
    outline: phone,
    is: 'Six digits that an app on your phone shows, new every 30 seconds.',
    protects:
      'A stolen GitHub password or session alone is not enough. But a fake site can ask you for the code and use it, and a code does not say what it approves.',
    choose: 'For devices without the other two.',
  },
];

/** `/authenticator-types`: what each kind is, what it protects against, and which to choose. */
export function AuthenticatorTypesPage() {
  return (
    <Card title="Authenticator types">
      <p>An authenticator shows that it is you who approves. There are three kinds.</p>
      {TYPES.map(({ name, outline, is, protects, choose }) => (
        <section key={name} className={styles.type}>
          <h2>
            <Icon outline={outline} size="large" />
            {name}
          </h2>
          <p>{is}</p>
          <p>{protects}</p>
          <p>
            <strong>{choose}</strong>
          </p>
        </section>
      ))}
      <p>Register two: with one alone, a lost device locks you out.</p>
      <p>
        <KeptLink to="/register">Register authenticator</KeptLink>
      </p>
    </Card>
  );
}
