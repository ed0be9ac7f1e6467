/** What a user says about a VirtualPrivateCloud. */
import { type Static, Type } from "typebox";
import { address, prefix } from "../../sdk/addresses.ts";
import type { AppInput } from "../../sdk/app.ts";
import { appSpec, listOf, open, text } from "../../sdk/spec.ts";
import { rules } from "./rules.ts";

/** Names of subnets are values of labels and parts of keys of a ConfigMap. */
const subnetName = "^[A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?$";

const objectName = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

export const VPCSpec = appSpec(
  {
    subnets: listOf(
      open({
        name: text({ required: true, pattern: subnetName, maxLength: 63, description: "Name, unique among them." }),
        cidr: Type.Optional(
          Type.String({
            pattern: "^([0-9.]+/[0-9]{1,2})?$",
            maxLength: 18,
            description: "Addresses of the subnet, such as 172.16.0.0/24. Nothing gets an address without.",
          }),
        ),
      }),
      { maxItems: 64, description: "Networks. A machine is attached to one by its id, `ID` in `<release>-subnets`." },
    ),
    peers: listOf(
      open({
        vpcName: text({ required: true, pattern: objectName, maxLength: 63, description: "Name of the other one." }),
        tenantNamespace: text({ required: true, pattern: objectName, maxLength: 63, description: "Its namespace." }),
      }),
      { maxItems: 64, description: "Others that can be reached, provided that they list this one as well." },
    ),
    routes: listOf(
      open({
        cidr: Type.String({ ...prefix, description: "Addresses that are reached by the route." }),
        nextHopIP: Type.String({ ...address, description: "Where packets for them are sent." }),
      }),
      { maxItems: 256, description: "Routes besides those to the subnets." },
    ),
  },
  rules,
);

export type Spec = Static<typeof VPCSpec.schema>;
export type Input = AppInput<Spec>;
