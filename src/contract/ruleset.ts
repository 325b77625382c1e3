/** A ruleset as GitHub exports and imports it, with the one rule that requires our check. */
export type Ruleset = {
  name: string;
  target: 'branch';
  enforcement: 'active';
  conditions: {
    ref_name: Names;
    /** Only a ruleset of an organization has it. */
    repository_name?: Names;
  };
  rules: [
    {
      type: 'required_status_checks';
      parameters: {
        strict_required_status_checks_policy: boolean;
        do_not_enforce_on_create: boolean;
        required_status_checks: { context: string; integration_id: number }[];
      };
    },
  ];
  bypass_actors: [];
};

type Names = { include: string[]; exclude: string[] };
