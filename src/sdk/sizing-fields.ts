/** The fields by which a spec says how much cpu and memory something gets. */
import Type, { type TEnum } from "typebox";
import { type Described, group, oneOf, open, quantity, type WithDefault } from "./fields.ts";
import { presets } from "./presets.ts";

/** The names of the resource presets. */
export function resourcesPreset(options: Described & WithDefault<string>): TEnum<string[]> {
  const description = "Preset of cpu and memory, used for what `resources` leaves out.";
  return oneOf([...presets.keys()], { description, ...options });
}

/** Written by those who expect a container's resources here. Without the rule it would be an unknown field, and ignored. */
const computed = Type.Optional(
  Type.Unsafe<never>({
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    "x-kubernetes-validations": [
      { rule: "false", message: "limits and requests are computed; write the amounts directly, such as cpu: 500m" },
    ],
  }),
);

/** The field `resources` of those without presets, read by `sanitize()`: null takes a default away. */
export function amounts(defaults: { readonly cpu: string; readonly memory: string }, description: string) {
  return group(
    {
      cpu: quantity({ default: defaults.cpu, nullable: true, description: "CPU available to each replica." }),
      memory: quantity({ default: defaults.memory, nullable: true, description: "Memory available to each replica." }),
      limits: computed,
      requests: computed,
    },
    { description },
  );
}

/** The fields `resources` and `resourcesPreset` of something that may be sized otherwise than the rest. Both may be absent. */
export function ownSizing(rest: string) {
  return {
    resources: Type.Optional(
      open(
        {
          cpu: quantity({ description: "CPU available to each replica." }),
          memory: quantity({ description: "Memory available to each replica." }),
          limits: computed,
          requests: computed,
        },
        { description: "Explicit cpu and memory of each replica; what is left out comes from the preset." },
      ),
    ),
    resourcesPreset: oneOf([...presets.keys()], { description: `Preset of cpu and memory. Absent: ${rest}.` }),
  };
}

/** The fields `resources` and `resourcesPreset`, read by `resources()`. */
export function sizing(options: { readonly preset: string; readonly description?: string }) {
  return {
    resources: group(
      {
        cpu: quantity({ description: "CPU available to each replica." }),
        memory: quantity({ description: "Memory available to each replica." }),
        limits: computed,
        requests: computed,
      },
      {
        description:
          options.description ??
          "Explicit cpu and memory of each replica; what is left out comes from `resourcesPreset`.",
      },
    ),
    resourcesPreset: resourcesPreset({ default: options.preset }),
  };
}
