import type { OrganizationHealth } from '../../../../../src/contract/organization.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { Ago } from '../../../components/time.tsx';
import { useClient } from '../../../lib/use-client.ts';
import { Marked } from '../marked.tsx';
import { isSilent, permissionsMark, sweepMark, webhooksMark } from './findings.ts';
import styles from './setup.module.css';
import { appsAddress, faultsSentence, missedSentence, missingSentence, repairedWords } from './words.ts';

/** What the App may do. */
export function Permissions({ permissions }: Pick<OrganizationHealth, 'permissions'>) {
  const { missing, isPending, settingsUrl } = permissions;
  const mark = permissionsMark(permissions);
  if (mark === 'good') {
    return (
      <Marked mark={mark}>
        <p>The App has the permissions that it needs.</p>
      </Marked>
    );
  }
  return (
    <Marked mark={mark}>
      {missing.length > 0 && <p>{missingSentence(missing)}</p>}
      <p>
        {isPending
          ? 'It asks for permissions that no owner has accepted yet.'
          : 'Whoever runs OTP Guard adds that to the App’s permissions on GitHub. Then an owner accepts it.'}
      </p>
      <p>
        <GithubLink className={styles.link} href={settingsUrl} beside>
          {isPending ? 'Review and accept' : 'The App’s permissions'}
        </GithubLink>
      </p>
    </Marked>
  );
}

type WebhooksProps = Pick<OrganizationHealth, 'webhooks'> & { settingsUrl: string };

/** Whether we hear of what happens. */
export function Webhooks({ webhooks, settingsUrl }: WebhooksProps) {
  const { last, missed } = webhooks;
  const mark = webhooksMark(webhooks);
  return (
    <Marked mark={mark}>
      {last ? (
        <p>
          The last webhook arrived <Ago at={last} />.
        </p>
      ) : (
        <p>
          No webhook has arrived yet.
          {missed === 0 &&
            ' Open a pull request or push to one. If still none arrives, look at the webhook’s address in the App’s settings, and whether it is active.'}
        </p>
      )}
      {missed > 0 && (
        <p>
          {missedSentence(missed)} GitHub was asked to deliver {missed === 1 ? 'it' : 'them'} again. Check
          that GitHub can reach OTP Guard’s address: the App’s settings list the deliveries under Advanced.
        </p>
      )}
      {mark !== 'good' && (
        <p>
          <GithubLink className={styles.link} href={appsAddress(settingsUrl)} beside>
            The settings of your Apps
          </GithubLink>
        </p>
      )}
    </Marked>
  );
}

type SweepProps = Pick<OrganizationHealth, 'sweep'> & { settingsUrl: string };

/** What the sweeper did in its last round. */
export function Sweep({ sweep, settingsUrl }: SweepProps) {
  const { now } = useClient();
  const mark = sweepMark(sweep, now());
  if (!sweep) {
    return (
      <Marked mark={mark}>
        <p>
          The sweeper has made no round yet. It makes one when OTP Guard starts, and then every few minutes.
          Check again in a while.
        </p>
      </Marked>
    );
  }
  const { at, repaired, faults } = sweep;
  return (
    <Marked mark={mark}>
      <p>
        The sweeper made its last round <Ago at={at} /> and repaired {repairedWords(repaired)} here.
      </p>
      {isSilent(sweep, now()) && (
        <p>It should make one every few minutes. Tell whoever runs OTP Guard to look at its log.</p>
      )}
      {faults.length > 0 && (
        <>
          <p>
            {faultsSentence(faults)} It tries again in the next round. If that does not help, look whether the
            App still has access.
          </p>
          <p>
            <GithubLink className={styles.link} href={settingsUrl} beside>
              The App’s access
            </GithubLink>
          </p>
        </>
      )}
    </Marked>
  );
}
