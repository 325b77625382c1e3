import type { ReactNode } from 'react';
import styles from './registration.module.css';

/** The steps on the computer and on the phone, with a picture of each. */
export const PhoneSteps = ({ org }: { org: ReactNode }) => (
  <>
    <p>Your phone creates a passkey for {org}. You'll use it to approve pull requests, on a computer too.</p>
    <ol className={`stack gap-3 ${styles.sides}`}>
      <li>
        <svg viewBox="0 0 96 64" aria-hidden="true">
          <path d={COMPUTER} />
          <path d={CODE} className={styles.filled} />
        </svg>
        <p>
          <strong>On this computer</strong> your browser shows a QR code. If it asks where to save the
          passkey, choose your phone.
        </p>
      </li>
      <li>
        <svg viewBox="0 0 96 64" aria-hidden="true">
          <path d={PHONE} />
          <path d={MARK} />
        </svg>
        <p>
          <strong>On your phone</strong> scan it with the camera, and unlock the phone as you usually do.
        </p>
      </li>
    </ol>
    <p className="muted">Both need the internet and Bluetooth, and have to be near each other.</p>
  </>
);

/** A screen on its stand, and the code on it. */
const COMPUTER = 'M12 4h72a4 4 0 0 1 4 4v38a4 4 0 0 1-4 4H12a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4ZM48 50v9M34 60h28';
const CODE =
  'M34 13h10v10H34ZM52 13h10v10H52ZM34 31h10v10H34ZM37 16v4h4v-4ZM55 16v4h4v-4ZM37 34v4h4v-4ZM52 27h4v4h-4ZM58 31h4v4h-4ZM46 25h3v4h-3ZM53 36h3v5h-3ZM59 38h3v3h-3ZM46 33h3v3h-3ZM47 15h2v5h-2Z';
/** A phone with the corners that a camera draws around a code, and a check mark. */
const PHONE = 'M36 3h24a5 5 0 0 1 5 5v48a5 5 0 0 1-5 5H36a5 5 0 0 1-5-5V8a5 5 0 0 1 5-5ZM44 8h8';
const MARK = 'M38 24v-5h5M53 19h5v5M58 36v5h-5M43 41h-5v-5M42 30l4 4 8-8M46 54h4';
