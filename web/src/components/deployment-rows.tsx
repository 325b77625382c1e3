import { Link } from 'react-router-dom';
import type { InboxDeployment } from '../../../src/contract/inbox.ts';
import type { WaitingDeployment } from '../../../src/contract/organization.ts';
import { safePath } from '../lib/address/safe-url.ts';
import { ASKED_TEXTS } from '../lib/asked-texts.ts';
import { useClient } from '../lib/react/use-client.ts';
import { Icon } from './icon.tsx';
import styles from './pull-row.module.css';
import { Chip, DeniedBy } from './pull-row.tsx';
import { Ago, Commit, Label, SpelledName, spell } from './text.tsx';

/** `RocketIcon`, as in `icon.tsx`. */
const rocketIcon =
  'M14.064 0h.186C15.216 0 16 .784 16 1.75v.186a8.752 8.752 0 0 1-2.564 6.186l-.458.459c-.314.314-.641.616-.979.904v3.207c0 .608-.315 1.172-.833 1.49l-2.774 1.707a.749.749 0 0 1-1.11-.418l-.954-3.102a1.214 1.214 0 0 1-.145-.125L3.754 9.816a1.218 1.218 0 0 1-.124-.145L.528 8.717a.749.749 0 0 1-.418-1.11l1.71-2.774A1.748 1.748 0 0 1 3.31 4h3.204c.288-.338.59-.665.904-.979l.459-.458A8.749 8.749 0 0 1 14.064 0ZM8.938 3.623h-.002l-.458.458c-.76.76-1.437 1.598-2.02 2.5l-1.5 2.317 2.143 2.143 2.317-1.5c.902-.583 1.74-1.26 2.499-2.02l.459-.458a7.25 7.25 0 0 0 2.123-5.127V1.75a.25.25 0 0 0-.25-.25h-.186a7.249 7.249 0 0 0-5.125 2.123ZM3.56 14.56c-.732.732-2.334 1.045-3.005 1.148a.234.234 0 0 1-.201-.064.234.234 0 0 1-.064-.201c.103-.671.416-2.273 1.15-3.003a1.502 1.502 0 1 1 2.12 2.12Zm6.94-3.935c-.088.06-.177.118-.266.175l-2.35 1.521.548 1.783 1.949-1.2a.25.25 0 0 0 .119-.213ZM3.678 8.116 5.2 5.766c.058-.09.117-.178.176-.266H3.309a.25.25 0 0 0-.213.119l-1.2 1.95ZM12 5a1 1 0 1 1-2 0 1 1 0 0 1 2 0Z';

/** The deployments of a list: each leads to the page that decides about it. */
export function DeploymentRows({ deployments }: { deployments: (WaitingDeployment | InboxDeployment)[] }) {
  const { config } = useClient();
  if (deployments.length === 0) return null;
  return (
    <ul aria-label="Deployments">
      {deployments.map(
        ({ org, repo, environment, run, ref, head, since, approval, missing, denied, ...of }) => (
          <li key={approval} className={styles.row}>
            <span className={styles.mark}>
              <Icon path={rocketIcon} />
            </span>
            <div className={styles.body}>
              <p className={`target ${styles.title}`}>
                <Link className="target" to={safePath(approval, config) ?? '/'}>
                  <bdi>{`Deploy ${repo} to ${spell(environment).join('')}`}</bdi>
                </Link>
              </p>
              <p className={`quiet ${styles.summary}`} title={`${org}/${repo}. ${missing.join(' ')}`}>
                <Label text={`${org}/${repo}`} inline />, <SpelledName name={ref} /> at <Commit sha={head} />,
                run {run}, <span className="visually-hidden">waiting since </span>
                <Ago at={since} />
              </p>
              <DeniedBy denied={denied} />
              {'asked' in of && of.asked && (
                <ul className={styles.chips}>
                  <Chip isFilled>{ASKED_TEXTS[of.asked]}</Chip>
                </ul>
              )}
            </div>
          </li>
        ),
      )}
    </ul>
  );
}
