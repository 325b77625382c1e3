import type { Finding } from '../../../../src/proofs/findings.ts';
import { Icon } from '../../components/icon.tsx';
import { checkIcon, errorIcon } from '../../components/icons.ts';
import { infoIcon } from '../../components/notice-icons.ts';
import { ProofText } from './proof-text.tsx';
import type { Verdict } from './verdict.ts';
import styles from './verify.module.css';

/** In the order of the page. */
const GROUPS = {
  failed: { title: 'What failed', icon: errorIcon },
  proved: { title: 'What is proved', icon: checkIcon },
  claimed: { title: 'What is only claimed', icon: infoIcon },
} as const satisfies Record<Finding['status'], { title: string; icon: string }>;

const MOST_SHOWN = 200;

/** Why a receipt or a log is valid or not, in words. */
export const VerdictDetails = ({ findings }: Pick<Verdict, 'findings'>) => (
  <div className={styles.findings}>
    {Object.entries(GROUPS).map(([status, { title, icon }]) => {
      const ofStatus = findings.filter((finding) => finding.status === status);
      const left = ofStatus.length - MOST_SHOWN;
      if (ofStatus.length === 0) return null;
      return (
        <div key={status} className={styles[status]}>
          <h3>{title}</h3>
          <ul>
            {ofStatus.slice(0, MOST_SHOWN).map(({ text }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
              <li key={at}>
                <Icon path={icon} />
                <ProofText text={text} />
              </li>
            ))}
          </ul>
          {left > 0 && <p>And {left.toLocaleString('en')} more.</p>}
        </div>
      );
    })}
  </div>
);
