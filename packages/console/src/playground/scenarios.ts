// What a playground says of scenarios.

/** A kind of scenario, as the contract describes it in English. */
export type ScenarioKind = {
  kind: string;
  /** What happens. */
  effect: string;
  /** What a client must do. */
  client: string;
  /** The JSON Schema of such a scenario. */
  schema: { properties: Record<string, ScenarioMember>; required?: string[] };
};

/** A member of a scenario, as JSON Schema. */
export type ScenarioMember = {
  type?: 'string' | 'integer' | 'boolean';
  enum?: string[];
  description?: string;
};

/** A scenario that was added, with how often it took effect. Parameters of its kind are further members. */
export type ScenarioState = {
  id: string;
  kind: string;
  createdAt: string;
  applied: number;
  remaining?: number;
  endsAt?: string;
  active: boolean;
  [parameter: string]: unknown;
};
