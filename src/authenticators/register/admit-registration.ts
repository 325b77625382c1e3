import type { Effects } from '../../audit/ports.ts';
import type { EmailCodeProof } from '../../contract/email.ts';
import type { Policy } from '../../contract/policy.ts';
import type { StepUp } from '../../contract/step-up.ts';
import type { Organization } from '../../organizations/ports.ts';
import { checkEmailCode, consumeEmailCode } from '../../people/email-code.ts';
import type { Person } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { sha256Base64url } from '../../shared/crypto.ts';
import { newNonce } from '../comparison.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import { holderOf, type RegisteredAuthenticator, registrationEffects } from '../effects.ts';
import type { Added, Admission, Holder } from '../ports.ts';
import { requireStepUp } from '../step-up/step-up.ts';
import { canonicalAddress, requireFreeAddress } from './enrolment-address.ts';

/** The proofs that a registration was sent with. */
export type AdmissionProofs = {
  stepUp?: StepUp | undefined;
  emailCode?: EmailCodeProof | undefined;
  deviceLink?: string | undefined;
};

type Registration = { person: Person; org: Organization; policy: Policy; proofs: AdmissionProofs };

/** Uses the proofs up. Call it when everything else about the registration is verified. */
type Admit = () => Promise<Admission>;

/**
 * Decides how a new authenticator is let in. A further one needs a step-up, or a link of the person's other
 * device, and is pending then. A first one needs what the organization's mode asks for.
 *
 * @throws AppError `stepUpRequired`, and the refusals of the link and of the e-mail code.
 */
export async function admitRegistration(deps: AuthenticatorDeps, registration: Registration): Promise<Admit> {
  const { proofs, policy } = registration;
  const isFirst = await isFirstOf(deps, registration);
  if (proofs.deviceLink !== undefined && !isFirst) return admitDevice(deps, registration, proofs.deviceLink);
  if (!isFirst) return admitFurther(deps, registration);
  const admit = { open: admitOpenly, email: admitByAddress, vouched: admitPending }[policy.enrolment.mode];
  return admit(deps, registration);
}

/**
 * Records that can't be used count too: otherwise spoiling them would let a sign-in alone register a first
 * one. Where first ones need a vouch, they don't, so that a person with such records can come back.
 */
async function isFirstOf(deps: AuthenticatorDeps, { person, org, policy }: Registration): Promise<boolean> {
  if (policy.enrolment.mode === 'vouched') {
    const [credentials, app] = await Promise.all([
      deps.credentials.list(person.userId, org.id),
      deps.totpApps.find(person.userId, org.id),
    ]);
    return credentials.length === 0 && !app;
  }
  const found = await Promise.all([
    deps.credentials.hasRecords(person.userId, org.id),
    deps.totpApps.hasRecord(person.userId, org.id),
  ]);
  return !found.includes(true);
}

async function admitFurther(deps: AuthenticatorDeps, { person, org, proofs }: Registration): Promise<Admit> {
  const proof = proofs.stepUp;
  if (!proof) throw new AppError('stepUpRequired');
  return async () => {
    const action = { type: 'register-authenticator' } as const;
    const by = await requireStepUp(deps, { session: person, org, action, proof });
    return { order: 'further', enrolled: by.enrolled, addedWith: by.type, confirmedBy: by.confirmedBy };
  };
}

async function admitDevice(
  deps: AuthenticatorDeps,
  { person, org }: Registration,
  secret: string,
): Promise<Admit> {
  const link = await deps.deviceLinks.find(sha256Base64url(secret));
  const isTheirs = link?.userId === person.userId && link.orgId === org.orgId;
  if (!link || !isTheirs || link.expires <= deps.clock.now()) throw new AppError('deviceLinkUnknown');
  return async () => {
    if (!(await deps.deviceLinks.consume(link))) throw new AppError('deviceLinkUsed');
    return { order: 'pending', waitsFor: 'device', nonce: newNonce() };
  };
}

async function admitOpenly(): Promise<Admit> {
  return async () => ({ order: 'first', enrolled: 'open' });
}

async function admitPending(): Promise<Admit> {
  return async () => ({ order: 'pending', waitsFor: 'vouch', nonce: newNonce() });
}

async function admitByAddress(deps: AuthenticatorDeps, registration: Registration): Promise<Admit> {
  const { person, org, policy, proofs } = registration;
  if (!proofs.emailCode) throw new AppError('emailCodeRequired');
  const address = canonicalAddress(proofs.emailCode.email, policy.enrolment.domains);
  const proof = { ...proofs.emailCode, email: address.address };
  await requireFreeAddress(deps.enrolmentAddresses, { person, org, address });
  const code = await checkEmailCode(deps, { session: person, orgId: org.orgId, proof });
  return async () => {
    await consumeEmailCode(deps, code);
    return { order: 'first', enrolled: 'email', address };
  };
}

/**
 * Stores a verified authenticator with `add`, together with the log entry and
 * the notices. Owners get a notice only of a person's first authenticator.
 *
 * @throws AppError `alreadyRegistered`, `addressTaken`, and `stepUpRequired` if another
 *   registration was the person's first in the meantime.
 */
export async function storeRegistration(
  deps: AuthenticatorDeps,
  input: {
    person: Person;
    org: Organization;
    admission: Admission;
    authenticator: RegisteredAuthenticator;
    add(holder: Holder, effects: Effects): Promise<Added | 'known' | 'notFirst'>;
  },
): Promise<Added> {
  const { person, org, admission, authenticator } = input;
  const holder = holderOf(person, org);
  const owners = (await isNews(deps, holder, admission)) ? await deps.memberships.ownersToNotify(org.id) : [];
  const added = await input.add(holder, registrationEffects(holder, authenticator, { admission, owners }));
  const address = admission.order === 'first' ? admission.address : undefined;
  if (added === 'known' && address)
    await requireFreeAddress(deps.enrolmentAddresses, { person, org, address });
  if (added === 'known') throw new AppError('alreadyRegistered');
  if (added === 'notFirst') throw new AppError('stepUpRequired');
  return added;
}

/** Tells whether owners get a notice: of a first authenticator, and of the first that waits for a vouch. */
async function isNews(deps: AuthenticatorDeps, holder: Holder, admission: Admission): Promise<boolean> {
  if (admission.order !== 'pending') return admission.order === 'first';
  if (admission.waitsFor === 'device') return false;
  const known = await deps.credentials.all(holder.userId, holder.org.recordId);
  return !known.some(({ pending }) => pending !== '');
}
