/**
 * What the schema's rules refuse too, where they are not asked: a render from a file has no API server.
 */
import { refuse } from "../../sdk/errors.ts";
import type { Spec } from "./spec.ts";
import { networksOf } from "./template.ts";

const wholeNumber = /^[0-9]{1,6}$/;

function checkSize({ instanceType, resources }: Spec): void {
  const { cpu, sockets, memory } = resources;
  for (const [field, value] of Object.entries({ cpu, sockets })) {
    if (value === undefined || wholeNumber.test(String(value))) continue;
    refuse({
      code: "InvalidValue",
      field: `spec.resources.${field}`,
      message: `${JSON.stringify(value)} is no whole number`,
      remedy: "Write a number such as 2.",
    });
  }
  const complete = cpu !== undefined && sockets !== undefined && memory !== undefined;
  if (instanceType === "" && !complete) {
    refuse({
      code: "InvalidValue",
      field: "spec.instanceType",
      message: "the machine has no size",
      remedy: "Name an instance type, or give all of resources.cpu, resources.sockets and resources.memory.",
    });
  }
  if (instanceType !== "" && (memory !== undefined || (cpu !== undefined && sockets !== undefined))) {
    refuse({
      code: "InvalidValue",
      field: "spec.resources",
      message: `the instance type ${instanceType} and resources both say the size of the machine`,
      remedy: 'Set instanceType to "", or remove resources.',
    });
  }
}

function checkPorts({ external, externalMethod, externalPorts }: Spec): void {
  if (external && externalMethod === "PortList" && externalPorts.length === 0) {
    refuse({
      code: "InvalidValue",
      field: "spec.externalPorts",
      message: "no port is open on the external address",
      remedy: "List a port, or use externalMethod WholeIP.",
    });
  }
}

function checkUnique(field: string, values: readonly (string | number)[]): void {
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  if (twice === undefined) return;
  refuse({
    code: "InvalidValue",
    field: `spec.${field}`,
    message: `${twice} is listed twice`,
    remedy: "Remove one of the two.",
  });
}

/** Refuses a specification whose parts contradict each other. */
export function checkSpec(spec: Spec): void {
  checkSize(spec);
  checkPorts(spec);
  checkUnique("externalPorts", spec.externalPorts);
  checkUnique(
    "disks",
    spec.disks.map(({ name }) => name),
  );
  // The pod network has a name as well.
  checkUnique("networks", ["default", ...networksOf(spec).map(({ name }) => name)]);
}
