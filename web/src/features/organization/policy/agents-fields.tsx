import type { OwnAgents } from '../../../../../src/contract/policy.ts';
import { Section } from '../section.tsx';
import { Fold, ListField } from './fields.tsx';

type Props = { agents: OwnAgents; onChange: (agents: OwnAgents) => void };

/** The form for the organization's own agents. */
export const AgentsFields = ({ agents, onChange }: Props) => (
  <Section title="Agents">
    <p className="quiet">
      Claude, Copilot and other common agents are known. Name your own, so that rules about agents see them
      too.
    </p>
    <Fold title="Your own agents" isOpen={agents.logins.length + agents.emails.length > 0}>
      <ListField
        label="Logins"
        hint="Such as octo-ai, which also names the App octo-ai[bot], one per line."
        value={agents.logins}
        onChange={(logins) => onChange({ ...agents, logins })}
      />
      <ListField
        label="Addresses"
        hint="The e-mail addresses in their commits, one per line."
        value={agents.emails}
        onChange={(emails) => onChange({ ...agents, emails })}
      />
    </Fold>
  </Section>
);
