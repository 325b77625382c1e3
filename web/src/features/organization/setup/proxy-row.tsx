import { StatusRow } from '../status-row.tsx';

/** Shown only if people come through a proxy that OTP Guard doesn't know about. */
export const ProxyRow = () => (
  <StatusRow status="wrong">
    <p>
      People come to OTP Guard through a proxy that it doesn't know about, so all of them seem to have one
      address. Ask the operator of OTP Guard to set <code>TRUST_PROXY</code>.
    </p>
  </StatusRow>
);
