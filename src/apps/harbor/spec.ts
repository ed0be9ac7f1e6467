/** What a user says about a Harbor. */
import type { Static } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import { classText, hostText } from "../../sdk/chart-texts.ts";
import {
  appSpec,
  flag,
  group,
  growOnly,
  immutable,
  replicas,
  sizing,
  storageClassName,
  text,
  volumeSize,
} from "../../sdk/spec.ts";

const part = (description: string, preset: string) => group({ ...sizing({ preset }) }, { description });

const volumes = (of: string, size: string, minimum: number) => ({
  size: volumeSize({ default: size, description: "Volume of each server; it can grow." }),
  replicas: replicas({ default: 2, minimum, description: `Number of ${of}.` }),
});

export const HarborSpec = appSpec(
  {
    host: text({
      default: "",
      maxLength: 253,
      pattern: hostText,
      description: "DNS name of the registry. Empty: the release's name before the tenant's domain.",
    }),
    storageClass: immutable(storageClassName({ pattern: classText })),
    core: part("Harbor's API and web interface.", "t1.small"),
    registry: part("The registry itself.", "t1.small"),
    jobservice: part("Background jobs.", "t1.nano"),
    trivy: group(
      {
        enabled: flag({ default: true, description: "Look for vulnerabilities in images." }),
        size: volumeSize({ default: "5Gi", description: "Volume of the scanner; it can grow." }),
        ...sizing({ preset: "t1.nano" }),
      },
      { description: "The scanner of images." },
    ),
    database: group(volumes("database servers", "5Gi", 1), { description: "PostgreSQL, which knows what is stored." }),
    redis: group(volumes("Redis servers", "1Gi", 0), { description: "Redis, which keeps sessions and jobs." }),
  },
  [growOnly("trivy.size"), growOnly("database.size"), growOnly("redis.size")],
  { storesData: true },
);

export type Spec = Static<typeof HarborSpec.schema>;
export type Input = AppInput<Spec>;
