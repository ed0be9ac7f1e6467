/**
 * A contract: a kind that somebody else defines and we write to, or a kind of our own that is no application. It says
 * which fields we use, how they are served where their operator is not installed, and what changing them does.
 */
import type { TObject } from "typebox";
import { type Body, defineKind, type KindConstructor, type KindNames } from "../kube/define-kind.ts";
import type { KubeObject } from "../kube/object.ts";
import type { ReadonlyStatic } from "./fields.ts";
import type { ImpactRules } from "./impact.ts";

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "boolean" | "date";
  readonly jsonPath: string;
}

export interface ContractDefinition<S extends TObject = TObject> extends KindNames {
  /** Default: the kind in lower case. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  /** Whether status is written through its own subresource. Default: when the schema has a `status`. */
  readonly statusSubresource?: boolean;
  readonly columns?: readonly PrinterColumn[];
  /** Everything of the object but `apiVersion`, `kind` and `metadata`. */
  readonly schema: S;
  readonly impact: ImpactRules;
}

/** The objects of a contract's kind. */
export type ContractObject<S extends TObject> = KubeObject & ReadonlyStatic<S>;

/** What a contract says about its kind, defaults filled in. */
export interface Contract {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly statusSubresource: boolean;
  readonly columns: readonly PrinterColumn[];
  readonly schema: TObject;
  readonly impact: ImpactRules;
}

/** A contract's kind whose objects the caller handles without knowing their type. */
export interface AnyContractKind extends KindNames {
  readonly contract: Contract;
}

/** A kind that makes its objects and carries its contract. */
export interface ContractKind<S extends TObject> extends KindConstructor<ContractObject<S>> {
  readonly contract: Contract;
}

/** Defines a contract: `export const Cluster = defineContract({ group: "postgresql.cnpg.io", ... })`. */
export function defineContract<S extends TObject>(definition: ContractDefinition<S>): ContractKind<S>;
// As in defineKind: the overload states what the compiler cannot see of a generic S.
export function defineContract(definition: ContractDefinition): object {
  const { group, version, kind, plural, namespaced } = definition;
  const names: KindNames = { group, version, kind, plural, namespaced };
  const make = defineKind<KubeObject>(names);
  const contract: Contract = {
    singular: definition.singular ?? kind.toLowerCase(),
    shortNames: definition.shortNames ?? [],
    statusSubresource: definition.statusSubresource ?? definition.schema.properties["status"] !== undefined,
    columns: definition.columns ?? [],
    schema: definition.schema,
    impact: definition.impact,
  };
  return Object.freeze(Object.assign((name: string, body?: Body<KubeObject>) => make(name, body), names, { contract }));
}
