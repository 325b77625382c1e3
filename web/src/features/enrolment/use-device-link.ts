import { useState } from 'react';
import type { DeviceLinkAnswer } from '../../../../src/contract/enrolment.ts';
import { sentenceOf } from '../../lib/api-client.ts';
import type { NamedOrganization } from '../../lib/named-organization.ts';
import { isProofRefused, type Proof } from '../../lib/step-up.ts';
import { useClient } from '../../lib/use-client.ts';
import { useStepUp } from '../../lib/use-step-up.ts';

/** The server's. Measured by this device, because its clock may differ from the one behind `expires`. */
const LIFE_MS = 10 * 60_000;

/** `until` is when the link expires, in milliseconds since 1970 by this device's clock. */
export type DeviceLink = { url: string; until: number };

/** The link that lets the person's other device register, made with a proof from this one. */
export function useDeviceLink({ org, orgID }: NamedOrganization) {
  const { api, session, now } = useClient();
  const stepUp = useStepUp({ type: 'register-authenticator', org, orgID });
  const [link, setLink] = useState<DeviceLink | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);

  const make = async (proof: Proof) => {
    setPending(true);
    setError(null);
    const until = now() + LIFE_MS;
    try {
      const body = { org, orgID, stepUp: proof.stepUp, accessToken: session.accessToken() };
      const { url } = await api.post<DeviceLinkAnswer>('/device-link', body);
      setLink({ url, until });
    } catch (cause) {
      if (isProofRefused(cause)) stepUp.refuse(cause);
      else setError(sentenceOf(cause));
    } finally {
      setPending(false);
    }
  };

  return {
    link,
    pending,
    error: error ?? stepUp.error,
    stepUp,
    make: (proof: Proof) => void make(proof),
    discard: () => setLink(null),
  };
}
