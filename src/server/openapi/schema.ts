/** The part of JSON Schema that both versions of OpenAPI and Kubernetes know. */
export interface Schema {
  readonly type?: "object" | "array" | "string" | "integer" | "boolean";
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  /** Name of another definition. */
  readonly ref?: string;
  /** Any JSON, kept as it is. */
  readonly open?: true;
}
