/** Plays Kamaji, as far as where control planes keep their objects: a DataStore is ready once its certificates are there. */
import { Secret } from "../../contracts/core.ts";
import { DataStore } from "../../contracts/kamaji-clastix-io.ts";
import { type Player, player } from "../player.ts";

const dataStore: Player<ReturnType<typeof DataStore>> = {
  kind: DataStore,
  makes: [],
  reads: [Secret],
  play({ spec: { tlsConfig } }, scene) {
    const pairs = [tlsConfig?.certificateAuthority, tlsConfig?.clientCertificate];
    const needed = pairs.flatMap((pair) => [pair?.certificate, pair?.privateKey]);
    const isThere = needed.every((content) => {
      const from = content?.secretReference;
      return from === undefined || scene.find(Secret, from.name ?? "", from.namespace)?.data?.[from.keyPath];
    });
    return { children: [], status: { ready: isThere && scene.behaviour === "normal" } };
  },
};

export const kamaji = [player(dataStore)];
