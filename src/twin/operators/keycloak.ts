/** Plays the Keycloak operator: groups, scopes and clients are made in a Keycloak that nobody sees. */
import { KeycloakClient, KeycloakClientScope, KeycloakRealmGroup } from "../../contracts/v1-edp-epam-com.ts";
import type { Kind, KubeObject } from "../../kube/object.ts";
import { type AnyPlayer, player } from "../player.ts";

function inRealm<T extends KubeObject>(kind: Kind<T>): AnyPlayer {
  return player<T>({
    kind,
    makes: [],
    play: (_, { behaviour }) => ({
      children: [],
      status:
        behaviour === "normal"
          ? { value: "OK" }
          : { value: behaviour === "refuses" ? "refused on request" : "waiting for the realm" },
    }),
  });
}

export const keycloak = [inRealm(KeycloakRealmGroup), inRealm(KeycloakClientScope), inRealm(KeycloakClient)];
