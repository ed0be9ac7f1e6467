/**
 * Plays cert-manager: issuers are ready once their authority is there, certificates are issued into their Secrets, which
 * belong to nobody and stay.
 */
import { Certificate, Issuer } from "../../contracts/cert-manager-io.ts";
import { Secret } from "../../contracts/core.ts";
import { type Player, player, type Scene } from "../player.ts";
import { conditionOf, madeOnce } from "./parts.ts";

const issuer: Player<ReturnType<typeof Issuer>> = {
  kind: Issuer,
  makes: [Secret],
  reads: [Secret],
  play(object, scene) {
    const { namespace } = object.metadata;
    const authority = object.spec.ca?.secretName;
    const isReady =
      scene.behaviour === "normal" &&
      (authority === undefined || scene.find(Secret, authority, namespace)?.data?.["tls.crt"] !== undefined);
    const says = isReady
      ? { reason: "KeyPairVerified", message: "Signing CA verified" }
      : { reason: "ErrGetKeyPair", message: `secret "${authority}" not found` };
    // An ACME issuer keeps its account's key.
    const account = object.spec.acme?.privateKeySecretRef.name;
    const key = { "tls.key": scene.token("account key", 64) };
    return {
      children: [],
      unowned: account === undefined || !isReady ? [] : [madeOnce(account, key, { namespace }, scene)],
      status: { conditions: [conditionOf("Ready", isReady, says, object.status?.conditions, scene)] },
    };
  },
};

/** Whether who is to sign can. Issuers of the whole cluster always can. */
function canSign({ metadata, spec }: ReturnType<typeof Certificate>, scene: Scene): boolean {
  const { name, kind = "Issuer" } = spec.issuerRef;
  if (kind !== "Issuer") return true;
  const found = scene.find(Issuer, name, metadata.namespace);
  return found?.status?.conditions?.some((one) => one.type === "Ready" && one.status === "True") === true;
}

const certificate: Player<ReturnType<typeof Certificate>> = {
  kind: Certificate,
  makes: [Secret],
  reads: [Issuer, Secret],
  play(object, scene) {
    const { namespace } = object.metadata;
    const issued = scene.behaviour === "normal" && canSign(object, scene);
    const says = issued
      ? { reason: "Ready", message: "Certificate is up to date and has not expired" }
      : { reason: "DoesNotExist", message: "Issuing certificate as Secret does not exist" };
    const status = { conditions: [conditionOf("Ready", issued, says, object.status?.conditions, scene)] };
    if (!issued) return { children: [], status };
    const data = { "ca.crt": scene.certificate, "tls.crt": scene.certificate, "tls.key": scene.token("key", 64) };
    // A Secret that was there before keeps its type, which cannot change.
    const { type = "kubernetes.io/tls" } = scene.find(Secret, object.spec.secretName, namespace) ?? {};
    const secret = madeOnce(object.spec.secretName, data, { namespace, type }, scene);
    return { children: [], unowned: [secret], status };
  },
};

export const certManager = [player(issuer), player(certificate)];
